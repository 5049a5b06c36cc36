"""Archives come back whole, or are refused with the damaged file named and nothing changed."""

import io
import re
import resource
import tarfile

import pytest

from scripts.lib.archive import check, pack, read_contents, unpack
from scripts.lib.errors import UserError

NAMES = ["config/study.yaml", "data/views/a.parquet", "data/rollouts/b.parquet", "reports/page.html"]
FILES = {name: f"<{name}>".encode() * 300 for name in NAMES}


@pytest.fixture
def archive(tmp_path):
    """An archive of FILES; one member is packed from a file."""
    source = tmp_path / "source"
    source.write_bytes(FILES[NAMES[1]])
    file = tmp_path / "study.tar"
    size = pack(file, FILES | {NAMES[1]: source}, {"config": NAMES[0]})
    assert size == file.stat().st_size
    return file


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


def everything(_name):
    return True


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def refused(file, place, *words, accept=everything):
    """Unpacking must fail with these words and change nothing."""
    before = files(place)
    with pytest.raises(UserError) as error:
        unpack(file, place, accept)
    assert all(word in str(error.value) for word in (str(file), *words)), error.value
    assert files(place) == before


def test_files_come_back_in_order_of_time(archive, place):
    contents = unpack(archive, place, everything)
    assert files(place) == FILES
    assert contents.about == {"config": NAMES[0]} and list(contents.members) == NAMES
    times = [(place / name).stat().st_mtime_ns for name in NAMES]
    assert times == sorted(times) and len(set(times)) == len(times)
    assert unpack(archive, place, everything).members == contents.members  # again, over the same files


def test_the_same_files_make_the_same_archive(archive, tmp_path):
    pack(tmp_path / "other.tar", FILES, {"config": NAMES[0]})
    assert (tmp_path / "other.tar").read_bytes() == archive.read_bytes()
    with tarfile.open(archive) as tar:
        assert tar.getnames()[2:] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_one_flipped_bit_names_its_file(archive, place, name):
    data = bytearray(archive.read_bytes())
    data[data.index(FILES[name]) + 100] ^= 1
    archive.write_bytes(data)
    refused(archive, place, f"{name} is damaged")


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_header_names_its_file(archive, place, name):
    data = bytearray(archive.read_bytes())
    data[data.index(FILES[name]) - 512] ^= 1
    archive.write_bytes(data)
    refused(archive, place, name)


@pytest.mark.parametrize("part", ["archive.json", "archive.json.sha256"])
def test_a_damaged_list_is_named(archive, place, part):
    with tarfile.open(archive) as tar:
        at = tar.getmember(part).offset_data
    data = bytearray(archive.read_bytes())
    data[at + 5] ^= 1
    archive.write_bytes(data)
    refused(archive, place, "archive.json is damaged")


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_cut_off_names_the_first_lost_file(archive, place, name):
    data = archive.read_bytes()
    archive.write_bytes(data[: data.index(FILES[name]) + 50])
    refused(archive, place, name)


def test_any_cut_is_refused(archive, place):
    data = archive.read_bytes()
    end = data.index(FILES[NAMES[-1]]) + len(FILES[NAMES[-1]])
    for length in range(0, end, 509):
        archive.write_bytes(data[:length])
        refused(archive, place)


def test_any_damaged_byte_is_refused_or_harmless(archive, place):
    data = archive.read_bytes()
    for at in range(0, len(data), 61):
        archive.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            contents = check(archive, place, everything)
        except UserError:
            continue
        assert list(contents.members) == NAMES  # padding, or what a header says of owner and device


@pytest.mark.parametrize("text", [b"", b"no archive", bytes(2000)])
def test_what_is_no_archive_is_refused(tmp_path, place, text):
    file = tmp_path / "study.tar"
    file.write_bytes(text)
    refused(file, place)
    file.unlink()
    refused(file, place, "No such file")


def forged(archive, **fields):
    """The archive with its last member's header changed."""
    with tarfile.open(archive) as tar:
        kept = [(info, tar.extractfile(info).read()) for info in tar.getmembers()]
    with tarfile.open(archive, "w") as tar:
        for number, (info, data) in enumerate(kept):
            if number == len(kept) - 1:
                for key, value in fields.items():
                    setattr(info, key, value)
            tar.addfile(info, io.BytesIO(data))


TRICKS = [
    {"name": "/etc/page.html"},
    {"name": "../page.html"},
    {"name": "reports/../../page.html"},
    {"name": "reports/../data/views/a.parquet"},
    {"name": "reports//page.html"},
    {"name": "reports/page.html", "type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    {"name": "reports/page.html", "type": tarfile.SYMTYPE, "linkname": "../data/views/a.parquet"},
    {"name": "reports/page.html", "type": tarfile.LNKTYPE, "linkname": "data/views/a.parquet"},
    {"name": "reports/page.html", "type": tarfile.CHRTYPE},
    {"name": "reports/page.html", "type": tarfile.FIFOTYPE},
    {"name": "reports", "type": tarfile.DIRTYPE},
]


@pytest.mark.parametrize("fields", TRICKS, ids=[str(number) for number in range(len(TRICKS))])
def test_names_that_lead_elsewhere_and_links_are_refused(archive, place, tmp_path, fields):
    forged(archive, **fields)
    before = files(tmp_path)
    refused(archive, place, "is refused", fields["name"].lstrip("/"))
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    "name", ["/etc/page.html", "../page.html", "data/../../page.html", "./page.html", "a//b"]
)
def test_a_list_that_agrees_with_a_trick_does_not_help_it(tmp_path, place, name):
    file = tmp_path / "study.tar"
    pack(file, {name: b"x"}, {})
    before = files(tmp_path)
    refused(file, place, "is refused")
    assert files(tmp_path) == before


def test_a_file_that_nobody_listed_is_refused(archive, place):
    forged(archive, name="reports/other.html")
    refused(archive, place, "reports/other.html, which its list does not")
    forged(archive, name=NAMES[1])
    refused(archive, place, f"{NAMES[1]}, which its list does not")  # twice


def test_a_file_without_a_place_is_refused(archive, place):
    refused(archive, place, f"{NAMES[3]} has no place", accept=lambda name: not name.endswith(".html"))


def test_a_different_file_stays_unless_told_otherwise(archive, place):
    (place / "reports").mkdir()
    (place / NAMES[3]).write_bytes(b"mine")
    refused(archive, place, "1 files are here with other contents", NAMES[3], "REPLACE=1")
    unpack(archive, place, everything, replace=True)
    assert files(place) == FILES


def test_a_disk_that_takes_no_more_changes_nothing(archive, place):
    longest = max(map(len, FILES.values()))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (longest - 1, limits[1]))
    try:
        refused(archive, place, "cannot restore", "File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_file_where_a_folder_belongs_changes_nothing(archive, place):
    (place / "reports").write_bytes(b"a file where a folder should be")
    before = files(place)
    with pytest.raises(UserError, match=re.escape(f"cannot restore {archive}")):
        unpack(archive, place, everything)
    assert files(place) == before


def test_a_folder_may_be_a_link_to_another_disk(archive, place, tmp_path):
    (tmp_path / "disk").mkdir()
    (place / "data").symlink_to(tmp_path / "disk")
    unpack(archive, place, everything)
    assert set(files(tmp_path / "disk")) == {"views/a.parquet", "rollouts/b.parquet"}
    assert (place / "data").is_symlink()


def test_a_failed_packing_leaves_no_file_and_keeps_the_last_one(archive, tmp_path):
    before = archive.read_bytes()
    with pytest.raises(UserError, match="absent cannot be read"):
        pack(archive, {"a": b"x", "b": tmp_path / "absent"}, {})
    assert archive.read_bytes() == before
    with pytest.raises(UserError, match="cannot write"):
        pack(tmp_path / "nowhere" / "study.tar", {"a": b"x"}, {})
    assert {path.name for path in tmp_path.iterdir()} == {"source", "study.tar"}


def test_the_list_can_be_read_alone(archive):
    assert read_contents(archive).members[NAMES[0]]["size"] == len(FILES[NAMES[0]])
