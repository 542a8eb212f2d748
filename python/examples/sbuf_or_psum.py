"""SBUF or PSUM? The default layer with x and dy in either memory, on three generations, without tensor contents."""

import dve

table = dve.sweep(
    {
        "base": {"no_data": True},
        "axes": {"generation": ["sunda", "cayman", "mariana"], "place.x": ["sbuf", "psum"], "place.dy": ["sbuf", "psum"]},
    }
)
print(table.select("generation", "place.x", "place.dy", "status", "cycles").text())

cycles = {(row["generation"], row["place.x"], row["place.dy"]): row["cycles"] for row in table.ok()}
saved = min(1 - cycles[g, "psum", "sbuf"] / cycles[g, "sbuf", "sbuf"] for g in ("sunda", "cayman", "mariana"))
[why] = {row["reason"] for row in table.failed()}
print(
    f"\nAnswer: one of the two sources in PSUM, as far as it fits, saves {saved:.0%} of the cycles, for an element of two "
    f"sources in SBUF takes two cycles; both in PSUM cannot be: {why}."
)
