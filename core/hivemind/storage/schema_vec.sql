-- Layer 2b: the seed's vector table. Apart, because it needs the sqlite-vec library: without it a mind opens
-- in keyword-only mode and this table is made at the first opening that has the library. Its twin
-- memory_frames_vec_next is made the same way when another model is built beside the serving one.
-- A chunk is one blob, and reading one vector walks the blob's pages up to it: eight vectors a chunk are read
-- several times faster than the library's 1,024, and written no slower.
CREATE VIRTUAL TABLE memory_frames_vec USING vec0(embedding float[1024], chunk_size=8);
