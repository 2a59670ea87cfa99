from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Collects: who judges what, and what they said."""

    name = "annotation"
