-- Layer 2b: the seed's vector table. Apart, because it needs the sqlite-vec library: without it a mind opens
-- in keyword-only mode and this table is made at the first opening that has the library.
CREATE VIRTUAL TABLE memory_frames_vec USING vec0(embedding float[1024]);
