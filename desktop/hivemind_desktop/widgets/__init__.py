"""Parts that pages are made of. They show plain values and emit signals; they know no engine and no page."""
