"""Pagination of lists."""

from rest_framework.pagination import CursorPagination, PageNumberPagination


class Pages(PageNumberPagination):
    """`?page=2&page_size=500`; at most 1,000 rows a page."""

    page_size_query_param = "page_size"
    max_page_size = 1000


class Stream(CursorPagination):
    """Cursor pagination for lists of any length: follow `next`. Every page costs the same, and
    rows added in the meantime cause no duplicates or gaps.
    """

    ordering = "pk"
    page_size = 500
    page_size_query_param = "page_size"
    max_page_size = 5000
