"""Pages of lists."""

from rest_framework.pagination import CursorPagination, PageNumberPagination


class Pages(PageNumberPagination):
    """`?page=2&page_size=500`; at most 1,000 rows a page."""

    page_size_query_param = "page_size"
    max_page_size = 1000


class Stream(CursorPagination):
    """For lists of any length: follow `next`. A page costs the same wherever it is, and rows
    added meanwhile neither repeat nor hide others."""

    ordering = "pk"
    page_size = 500
    page_size_query_param = "page_size"
    max_page_size = 5000
