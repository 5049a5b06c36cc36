"""The page that leads to the reports."""

from scripts.write_index import write_index


def test_it_leads_to_each_report_and_escapes_what_it_says(tmp_path):
    pages = [
        {"title": "One <b>", "lead": "Why?", "href": "one/report.html"},
        {"title": "Two", "lead": "How?", "href": "two/report.html"},
    ]
    write_index(tmp_path / "index.html", {"pages": pages})
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<a href="one/report.html">One &lt;b&gt;</a>' in text and 'href="two/report.html"' in text
    assert "<script" not in text and "Why?" in text
