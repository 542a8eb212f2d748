"""Assembler, disassembler and checker against dve-sim, and mistakes in programs."""

import subprocess

import numpy as np
import pytest

import dve

GOOD = "batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x400:fp32{6} channels=128"
BAD = "batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x400:fp32{5} channels=128"
THREE = """# a word on each engine, not in the order of the streams
.engine act
activate src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x200:fp32{8} scale=1 bias=1 activation_func=identity channels=4
.engine dve
copy src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x100:fp32{8} channels=4
.engine pool
copy src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x300:fp32{8} channels=4
"""


def sim(*arguments):
    return subprocess.run([dve.simulator(), *map(str, arguments)], capture_output=True, text=True)


def test_words_are_those_of_the_program(tmp_path):
    for number, text in enumerate([GOOD, THREE, "nop\nhalt\n"]):
        (tmp_path / "p.dasm").write_text(text)
        assert sim("asm", tmp_path / "p.dasm", "-o", tmp_path / "p.bin").returncode == 0
        program = dve.assemble(text)
        assert program.words.tobytes() == (tmp_path / "p.bin").read_bytes(), number
        np.testing.assert_array_equal(dve.read_program(tmp_path / "p.dasm").words, program.words)
        program.save(tmp_path / "q.bin")
        np.testing.assert_array_equal(dve.read_program(tmp_path / "q.bin").words, program.words)


def test_streams_stand_in_the_order_of_the_engines():
    program = dve.assemble(THREE)
    assert program.engines == ("dve", "pool", "act")
    assert program.lines == (5, 7, 3)
    assert len(program) == 3


def test_a_layers_program_goes_through_text_and_back(tmp_path):
    dve.run(step="full", out=tmp_path)
    program = dve.read_program(tmp_path / "program.bin")
    text = dve.disassemble(program)
    assert ".word" not in text and len(text.splitlines()) == len(program)
    np.testing.assert_array_equal(dve.assemble(text).words, program.words)
    listing = sim("disasm", tmp_path / "program.bin")
    assert text == listing.stdout
    assert dve.check(program) == []


def test_text_names_the_engines_again():
    text = dve.disassemble(dve.assemble(THREE))
    assert [line.split()[1] for line in text.splitlines() if line.startswith(".engine")] == ["dve", "pool", "act"]
    assert dve.assemble(text).engines == ("dve", "pool", "act")


def test_any_bytes_have_a_text(random):
    words = random.randint(0, 256, (50, 64), np.uint8)
    np.testing.assert_array_equal(dve.assemble(dve.disassemble(words)).words, words)
    np.testing.assert_array_equal(dve.assemble(dve.disassemble(words.tobytes())).words, words)


@pytest.mark.parametrize("text", [BAD, THREE, GOOD + "\n" + BAD, THREE.replace(".engine pool\ncopy", ".engine pool\nbatch_norm_aggregate")])
@pytest.mark.parametrize("generation", ["cayman", "maverick"])
def test_findings_are_those_of_the_program(tmp_path, text, generation):
    (tmp_path / "p.dasm").write_text(text)
    said = sim("check", tmp_path / "p.dasm", "--generation", generation, "--explain", "--quiet").stdout.splitlines()
    found = dve.check(text, generation)
    assert [line.partition("): ")[2] for line in said[0::2]] == [str(finding) for finding in found]
    assert [line.strip() for line in said[1::2]] == [finding.explanation for finding in found]
    for line, finding in zip(said[0::2], found):
        assert line.startswith(f"{finding.engine} word ") and f"(line {finding.line}, {finding.mnemonic}): " in line


def test_a_finding_has_its_parts():
    [finding] = dve.check(GOOD + "\n" + BAD)
    assert (finding.word, finding.line, finding.engine, finding.mnemonic) == (1, 2, "dve", "batch_norm_stats2")
    assert (finding.field, finding.value) == ("dst.num_elem", 5)
    assert dve.check(dve.assemble(BAD).words)[0].line is None


def test_rules_follow_the_configuration():
    text = GOOD.replace("channels=128", "channels=40").replace("sbuf[0]", "sbuf[32]")
    by_quadrant = dve.check(text)
    by_sum = dve.check(text, set={"numerics.active_channel_rule": "sum128"})
    assert by_quadrant and not by_sum
    newer = dve.assemble("copy src=sbuf[0]+0x0:fp8_e2m5{8} dst=sbuf[0]+0x100:fp8_e2m5{8} channels=4")
    on_cayman, on_maverick = dve.check(newer), dve.check(newer, config="maverick")
    assert "is_valid_dtype_64" in [finding.predicate for finding in on_cayman]
    assert "is_valid_dtype_64" not in [finding.predicate for finding in on_maverick]


def test_mistakes_in_text_have_their_places():
    with pytest.raises(dve.AssemblyError) as raised:
        dve.assemble("nop\n  nope\ncopy chanels=4")
    assert [error[:2] for error in raised.value.errors][0] == (2, 3)
    assert {error[0] for error in raised.value.errors} == {2, 3}
    assert str(raised.value).startswith("2:3: ") and isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: dve.assemble(GOOD, "trainium"), "generation is 'trainium', expected sunda, cayman"),
        (lambda: dve.disassemble(np.zeros(65, np.uint8)), "65 elements of uint8, expected uint8 in words of 64"),
        (lambda: dve.disassemble(np.zeros(64)), "64 elements of float64"),
        (lambda: dve.check(GOOD, set={"numerics.active_chanel_rule": 1}), "the nearest is numerics.active_channel_rule"),
    ],
)
def test_mistakes_are_named(call, text):
    with pytest.raises(ValueError) as raised:
        call()
    assert text in str(raised.value)
