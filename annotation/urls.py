"""URLs of the data collection pages."""

from __future__ import annotations

from django.urls import include, path

from annotation.board import views as board_views
from annotation.campaigns import setup_views, views
from annotation.collecting import views as collecting_views
from annotation.http import docs
from annotation.importing import table_views
from annotation.importing import views as importing_views
from annotation.mail import views as mail_views
from annotation.panels import views as panels_views
from annotation.people import group_views
from annotation.people import views as people_views

urlpatterns = [
    path("", views.home, name="home"),
    path("docs/", docs.doc_list, name="docs"),
    path("docs/images/<str:name>", docs.doc_image, name="doc-image"),
    path("docs/<path:name>", docs.doc, name="doc"),
    path("", include("annotation.accounts.urls")),
    path("p/<str:link>", panels_views.enter, name="panel-enter"),
    path("p/<str:link>/end", panels_views.end, name="panel-end"),
    path("p/<str:link>/leave", panels_views.leave, name="panel-leave"),
    path("p/<str:link>/events", panels_views.events, name="panel-events"),
    path("campaigns/", views.campaign_list, name="campaign-list"),
    path("campaigns/new/", views.campaign_new, name="campaign-new"),
    path("c/<slug:slug>/", views.campaign_home, name="campaign"),
    path("c/<slug:slug>/board/", board_views.board, name="board"),
    path("c/<slug:slug>/board/live/", board_views.board_live, name="board-live"),
    path("c/<slug:slug>/board/alarms/", board_views.board_alarms, name="board-alarms"),
    path("c/<slug:slug>/progress/", board_views.progress, name="progress"),
    path("c/<slug:slug>/status/", views.campaign_status, name="campaign-status"),
    path("c/<slug:slug>/language/", views.campaign_language, name="campaign-language"),
    path("c/<slug:slug>/settings/", views.campaign_settings, name="settings"),
    path("c/<slug:slug>/scales/new/", setup_views.scale_new, name="scale-new"),
    path("c/<slug:slug>/scales/<uuid:scale>/", setup_views.scale_edit, name="scale"),
    path("c/<slug:slug>/scales/<uuid:scale>/threshold/", setup_views.threshold, name="threshold"),
    path(
        "c/<slug:slug>/scales/<uuid:scale>/remove/", setup_views.scale_delete, name="scale-remove"
    ),
    path("c/<slug:slug>/guidelines/", views.guidelines, name="guidelines"),
    path("c/<slug:slug>/remarks/", collecting_views.remarks, name="remarks"),
    path("c/<slug:slug>/consent/", group_views.consent, name="consent"),
    path(
        "c/<slug:slug>/consent/withdrawal/", setup_views.withdrawal_rules, name="withdrawal-rules"
    ),
    path("c/<slug:slug>/consent/answers/", people_views.answers, name="background-answers"),
    path("c/<slug:slug>/questions/new/", group_views.question_new, name="question-new"),
    path("c/<slug:slug>/questions/<uuid:question>/", group_views.question, name="question"),
    path(
        "c/<slug:slug>/questions/<uuid:question>/act/",
        group_views.question_act,
        name="question-act",
    ),
    path("c/<slug:slug>/audit/", views.audit_log, name="audit"),
    path("c/<slug:slug>/import/", importing_views.import_page, name="import"),
    path("c/<slug:slug>/import/<uuid:key>/", importing_views.import_job, name="import-job"),
    path(
        "c/<slug:slug>/import/columns/<str:name>/",
        table_views.import_columns,
        name="import-columns",
    ),
    path("c/<slug:slug>/import/<uuid:key>/back/", table_views.take_back, name="import-back"),
    path(
        "c/<slug:slug>/import/mappings/<uuid:key>/",
        table_views.import_mapping,
        name="import-mapping",
    ),
    path(
        "c/<slug:slug>/import/examples/<slug:kind>/",
        table_views.import_example,
        name="import-example",
    ),
    path("c/<slug:slug>/people/", people_views.people, name="people"),
    path("c/<slug:slug>/people/guests/<uuid:key>/", people_views.guest_link, name="guest-link"),
    path("c/<slug:slug>/people/invite/", people_views.invite, name="invite"),
    path("c/<slug:slug>/people/invite-many/", group_views.invite_people, name="invite-many"),
    path("c/<slug:slug>/people/remind/", group_views.remind_people, name="remind"),
    path("c/<slug:slug>/people/reminders/", group_views.set_reminders, name="reminders"),
    path("mail/<str:key>/", group_views.no_mail, name="no-mail"),
    path("c/<slug:slug>/letters/", mail_views.letters, name="letters"),
    path("c/<slug:slug>/letters/<uuid:key>/discard/", mail_views.discard, name="letter-discard"),
    path("c/<slug:slug>/groups/", group_views.groups, name="groups"),
    path("c/<slug:slug>/lists/", group_views.lists, name="lists"),
    path("c/<slug:slug>/lists/<uuid:key>/", group_views.list_act, name="list-act"),
    path("c/<slug:slug>/people/exclude/", people_views.exclude, name="exclude"),
    path("c/<slug:slug>/people/<int:user>/role/", people_views.role, name="role"),
    path("c/<slug:slug>/panels/", panels_views.panels, name="panels"),
    path("c/<slug:slug>/panels/<uuid:key>/", panels_views.panel, name="panel"),
    path("c/<slug:slug>/panels/<uuid:key>/act/", panels_views.panel_act, name="panel-act"),
    path("c/<slug:slug>/panels/<uuid:key>/ended/", panels_views.panel_ended, name="panel-ended"),
    path(
        "c/<slug:slug>/panels/<uuid:key>/payments/",
        panels_views.panel_payments,
        name="panel-payments",
    ),
    path("c/<slug:slug>/invitations/<uuid:key>/revoke/", people_views.revoke, name="revoke"),
    path("c/<slug:slug>/exclusions/<uuid:key>/lift/", people_views.lift, name="lift"),
    path("rate/worker.js", collecting_views.worker, name="rate-worker"),
    path("rate/<slug:slug>/", collecting_views.start, name="rate"),
    path("", include("annotation.quality.urls")),
    path("", include("annotation.campaigns.urls")),
    path("rate/<slug:slug>/own/", collecting_views.own, name="rate-own"),
    path("rate/<slug:slug>/withdraw/", people_views.withdraw, name="rate-withdraw"),
    path("rate/<slug:slug>/consent/", collecting_views.consent, name="rate-consent"),
    path("rate/<slug:slug>/background/", collecting_views.background, name="rate-background"),
    path("rate/<slug:slug>/<uuid:key>/", collecting_views.sheet_page, name="rate-sheet"),
]
