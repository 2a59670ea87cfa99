"""URLs of the data collection: its API, its pages, and logins, accounts and the log of the site."""

from __future__ import annotations

from django.contrib.auth import views as auth_views
from django.urls import path

from annotation.accounts import api as accounts_api
from annotation.accounts import entering_views, user_views
from annotation.accounts import views as accounts_views
from annotation.board import views as board_views
from annotation.campaigns import api as campaigns_api
from annotation.campaigns import setup_views, starting_views
from annotation.campaigns import views as campaigns_views
from annotation.campaigns.templating import views as template_views
from annotation.collecting import api as collecting_api
from annotation.collecting import views as collecting_views
from annotation.collecting import whole_sheet_api
from annotation.http import markdown
from annotation.importing import api as importing_api
from annotation.importing import table_views
from annotation.importing import views as importing_views
from annotation.mail import views as mail_views
from annotation.panels import api as panels_api
from annotation.panels import views as panels_views
from annotation.people import api as people_api
from annotation.people import group_views, membership_views
from annotation.people import views as people_views
from annotation.quality import practice_views
from annotation.quality import views as quality_views

# The API.


C = "campaigns/<slug:slug>"
api_urlpatterns = [
    # First, because they are asked for most.
    *whole_sheet_api.urlpatterns,
    *collecting_api.urlpatterns,
    path("token", accounts_api.TokenRoute.as_view(), name="api-token"),
    path("token/<uuid:key>", accounts_api.OneTokenRoute.as_view(), name="api-token-one"),
    path("campaigns", campaigns_api.CampaignsRoute.as_view(), name="api-campaigns"),
    path(C, campaigns_api.OneCampaignRoute.as_view(), name="api-campaign"),
    path(f"{C}/open", campaigns_api.OpenCampaignRoute.as_view(), name="api-campaign-open"),
    path(f"{C}/pause", campaigns_api.PauseCampaignRoute.as_view(), name="api-campaign-pause"),
    path(f"{C}/close", campaigns_api.CloseCampaignRoute.as_view(), name="api-campaign-close"),
    path(f"{C}/template", campaigns_api.TemplateRoute.as_view(), name="api-template"),
    path(f"{C}/copies", campaigns_api.CopiesRoute.as_view(), name="api-copies"),
    path(f"{C}/pilots", campaigns_api.PilotsRoute.as_view(), name="api-pilots"),
    path(f"{C}/pilot/end", campaigns_api.PilotEndRoute.as_view(), name="api-pilot-end"),
    path(
        f"{C}/pilot/judgments",
        campaigns_api.PilotJudgmentsRoute.as_view(),
        name="api-pilot-judgments",
    ),
    path("templates", campaigns_api.SavedTemplatesRoute.as_view(), name="api-templates"),
    path(
        "templates/<slug:template>",
        campaigns_api.OneSavedTemplateRoute.as_view(),
        name="api-site-template",
    ),
    path(f"{C}/scales", campaigns_api.ScalesRoute.as_view(), name="api-scales"),
    path(
        f"{C}/scales/<uuid:scale>/threshold",
        campaigns_api.ThresholdRoute.as_view(),
        name="api-threshold",
    ),
    path(f"{C}/progress", campaigns_api.ProgressRoute.as_view(), name="api-progress"),
    path(f"{C}/board", board_views.BoardRoute.as_view(), name="api-board"),
    path(f"{C}/progress/own", campaigns_api.OwnProgressRoute.as_view(), name="api-progress-own"),
    path(f"{C}/items", campaigns_api.ItemsRoute.as_view(), name="api-items"),
    path(f"{C}/items/<uuid:key>", campaigns_api.OneItemRoute.as_view(), name="api-item"),
    path(f"{C}/systems", campaigns_api.SystemsRoute.as_view(), name="api-systems"),
    path(f"{C}/judgments", campaigns_api.JudgmentsRoute.as_view(), name="api-judgments"),
    path(f"{C}/annotators", people_api.AnnotatorsRoute.as_view(), name="api-annotators"),
    path(f"{C}/exclusions", people_api.ExclusionsRoute.as_view(), name="api-exclusions"),
    path(
        f"{C}/exclusions/<uuid:key>", people_api.OneExclusionRoute.as_view(), name="api-exclusion"
    ),
    path(f"{C}/invitations", people_api.InvitationsRoute.as_view(), name="api-invitations"),
    path(
        f"{C}/invitations/<uuid:key>",
        people_api.OneInvitationRoute.as_view(),
        name="api-invitation",
    ),
    path(f"{C}/letters", people_api.LettersRoute.as_view(), name="api-letters"),
    path(f"{C}/imports", importing_api.ImportsRoute.as_view(), name="api-imports"),
    path(f"{C}/imports/<uuid:key>", importing_api.OneImportRoute.as_view(), name="api-import"),
    path(f"{C}/imports/items", importing_api.ImportItemsRoute.as_view(), name="api-import-items"),
    path(
        f"{C}/imports/judgments",
        importing_api.ImportJudgmentsRoute.as_view(),
        name="api-import-judgments",
    ),
    path(
        f"{C}/imports/inspect", importing_api.InspectTableRoute.as_view(), name="api-import-inspect"
    ),
    path(
        f"{C}/imports/<uuid:key>/back",
        importing_api.TakeBackRoute.as_view(),
        name="api-import-back",
    ),
    path(f"{C}/imports/gold", importing_api.ImportGoldRoute.as_view(), name="api-import-gold"),
    *panels_api.urlpatterns,
    *people_api.urlpatterns,
    *accounts_api.urlpatterns,
]


# Pages.


DATA = "site/people/<int:user>/data/"
urlpatterns = [
    path("", campaigns_views.home, name="home"),
    path("docs/", markdown.doc_list, name="docs"),
    path("docs/images/<str:name>", markdown.doc_image, name="doc-image"),
    path("docs/<path:name>", markdown.doc, name="doc"),
    path("accounts/", accounts_views.account, name="account"),
    path("accounts/login/", entering_views.Login.as_view(), name="login"),
    path("accounts/login/code/", entering_views.code, name="login-code"),
    path("accounts/login/set-up/", entering_views.set_up, name="login-set-up"),
    path("accounts/outside/", entering_views.outside, name="outside"),
    path("accounts/outside/back/", entering_views.outside_back, name="outside-back"),
    path("accounts/outside/connect/", entering_views.outside_link, name="outside-connect"),
    path("accounts/outside/<uuid:key>/end/", entering_views.outside_end, name="outside-end"),
    path("accounts/confirm/", accounts_views.confirm_page, name="confirm"),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("accounts/password/", accounts_views.ChangePassword.as_view(), name="password-change"),
    path("accounts/reset/", accounts_views.reset, name="password-reset"),
    path(
        "accounts/reset/<str:uidb64>/<str:token>/",
        accounts_views.ResetConfirm.as_view(),
        name="password-reset-confirm",
    ),
    path("accounts/email/", accounts_views.email, name="email-change"),
    path("accounts/email/<str:token>/", accounts_views.confirm, name="email-confirm"),
    path("accounts/second-factor/", accounts_views.second_factor, name="second-factor"),
    path("accounts/second-factor/act/", accounts_views.second_factor_act, name="second-factor-act"),
    path("accounts/sessions/end/", accounts_views.end_sessions, name="sessions-end"),
    path("accounts/sessions/<uuid:key>/end/", accounts_views.end_session, name="session-end"),
    path("accounts/tokens/", user_views.tokens, name="tokens"),
    path("accounts/tokens/<uuid:key>/revoke/", user_views.revoke, name="token-revoke"),
    path("join/<str:token>/", membership_views.join, name="join"),
    path("me/", membership_views.guest, name="guest"),
    path("site/users/", user_views.users, name="users"),
    path("site/users/new/", people_views.users_new, name="users-new"),
    path("site/users/<int:user>/", user_views.user_page, name="user"),
    path("site/users/<int:user>/act/", user_views.user_act, name="user-act"),
    path("site/letters/", mail_views.site_letters, name="site-letters"),
    path("site/letters/<uuid:key>/discard/", mail_views.site_discard, name="site-letter-discard"),
    path("account/data/", membership_views.own, name="account-data"),
    path("account/data/everything.zip", membership_views.own_file, name="account-data-file"),
    path("account/data/delete/", membership_views.own_delete, name="account-delete"),
    path(DATA, membership_views.other, name="site-person"),
    path(f"{DATA}everything.zip", membership_views.other_file, name="site-person-file"),
    path(f"{DATA}delete/", membership_views.other_delete, name="site-person-delete"),
    path("site/audit/", accounts_views.site_audit, name="site-audit"),
    path("site/audit/log.csv", accounts_views.site_audit_file, name="site-audit-file"),
    path("p/<str:link>", panels_views.enter, name="panel-enter"),
    path("p/<str:link>/end", panels_views.end, name="panel-end"),
    path("p/<str:link>/leave", panels_views.leave, name="panel-leave"),
    path("p/<str:link>/events", panels_views.events, name="panel-events"),
    path("campaigns/", campaigns_views.campaign_list, name="campaign-list"),
    path("campaigns/new/", campaigns_views.campaign_new, name="campaign-new"),
    path("c/<slug:slug>/", campaigns_views.campaign_home, name="campaign"),
    path("c/<slug:slug>/board/", board_views.board, name="board"),
    path("c/<slug:slug>/board/live/", board_views.board_live, name="board-live"),
    path("c/<slug:slug>/board/alarms/", board_views.board_alarms, name="board-alarms"),
    path("c/<slug:slug>/progress/", board_views.progress, name="progress"),
    path("c/<slug:slug>/status/", campaigns_views.campaign_status, name="campaign-status"),
    path("c/<slug:slug>/language/", campaigns_views.campaign_language, name="campaign-language"),
    path("c/<slug:slug>/settings/", campaigns_views.campaign_settings, name="settings"),
    path("c/<slug:slug>/scales/new/", setup_views.scale_new, name="scale-new"),
    path("c/<slug:slug>/scales/<uuid:scale>/", setup_views.scale_edit, name="scale"),
    path("c/<slug:slug>/scales/<uuid:scale>/threshold/", setup_views.threshold, name="threshold"),
    path(
        "c/<slug:slug>/scales/<uuid:scale>/remove/", setup_views.scale_delete, name="scale-remove"
    ),
    path("c/<slug:slug>/guidelines/", campaigns_views.guidelines, name="guidelines"),
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
    path("c/<slug:slug>/audit/", campaigns_views.audit_log, name="audit"),
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
    path("rate/<slug:slug>/notice/", quality_views.notice, name="rate-notice"),
    path("rate/<slug:slug>/practice/", practice_views.practice, name="rate-practice"),
    path(
        "rate/<slug:slug>/practice/<uuid:attempt>/",
        practice_views.attempt,
        name="rate-practice-try",
    ),
    path("c/<slug:slug>/quality/", quality_views.quality, name="quality"),
    path("c/<slug:slug>/quality/plan/", quality_views.plan, name="quality-plan"),
    path("c/<slug:slug>/quality/rules/", quality_views.rule_new, name="quality-rule"),
    path(
        "c/<slug:slug>/quality/rules/<uuid:rule>/end/",
        quality_views.rule_remove,
        name="quality-rule-end",
    ),
    path(
        "c/<slug:slug>/quality/actions/<uuid:action>/", quality_views.action, name="quality-action"
    ),
    path("c/<slug:slug>/quality/controls/", quality_views.controls, name="quality-controls"),
    path("c/<slug:slug>/quality/controls/new/", quality_views.control_new, name="quality-control"),
    path("c/<slug:slug>/quality/copies/", quality_views.copies_new, name="quality-copies"),
    path("c/<slug:slug>/quality/import/", quality_views.expected_upload, name="quality-import"),
    path("c/<slug:slug>/quality/texts/<uuid:text>/", quality_views.text_page, name="quality-text"),
    path("c/<slug:slug>/practice/", practice_views.practice_settings, name="practice"),
    path("c/<slug:slug>/practice/texts/", practice_views.text_new, name="practice-text"),
    path(
        "c/<slug:slug>/people/<uuid:annotator>/practice/",
        practice_views.grant,
        name="practice-grant",
    ),
    path(
        "c/<slug:slug>/people/<uuid:annotator>/", quality_views.record_page, name="quality-record"
    ),
    path("campaigns/new/table/", starting_views.campaign_from_table, name="campaign-from-table"),
    path("c/<slug:slug>/ready/", starting_views.campaign_ready, name="campaign-ready"),
    path("campaigns/new/file/", template_views.campaign_from_file, name="campaign-from-file"),
    path("templates/", template_views.templates, name="templates"),
    path(
        "templates/<slug:template>.yaml", template_views.template_download, name="template-download"
    ),
    path(
        "templates/<slug:template>/remove/", template_views.template_remove, name="template-remove"
    ),
    path("templates/<slug:template>/scope/", template_views.template_scope, name="template-scope"),
    path("c/<slug:slug>/steps/", setup_views.setup_steps, name="setup-steps"),
    path("c/<slug:slug>/open/", setup_views.open_ask, name="open-ask"),
    path("c/<slug:slug>/template/", template_views.campaign_template, name="campaign-template"),
    path("c/<slug:slug>/template.yaml", template_views.template_file, name="template-file"),
    path("c/<slug:slug>/copy/", setup_views.campaign_copy_page, name="campaign-copy"),
    path("c/<slug:slug>/preview/", setup_views.preview, name="preview"),
    path("c/<slug:slug>/preview/sheet/", setup_views.preview_sheet, name="preview-sheet"),
    path("c/<slug:slug>/pilot/", setup_views.pilot, name="pilot"),
    path("c/<slug:slug>/pilot/end/", setup_views.pilot_stop, name="pilot-end"),
    path("c/<slug:slug>/pilot/judgments/", setup_views.pilot_judgments, name="pilot-judgments"),
    path("rate/<slug:slug>/own/", collecting_views.own, name="rate-own"),
    path("rate/<slug:slug>/withdraw/", membership_views.withdraw, name="rate-withdraw"),
    path("rate/<slug:slug>/consent/", collecting_views.consent, name="rate-consent"),
    path("rate/<slug:slug>/background/", collecting_views.background, name="rate-background"),
    path("rate/<slug:slug>/<uuid:key>/", collecting_views.sheet_page, name="rate-sheet"),
]
