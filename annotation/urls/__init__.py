"""URLs of the data collection pages."""

from django.contrib.auth import views as auth
from django.urls import include, path

from annotation.views import home
from annotation.views.campaigns import campaigns, guidelines, importing, scales
from annotation.views.collecting import offline, own, rate, remarks, steps
from annotation.views.people import accounts, background, consent, people, tokens, withdrawal

urlpatterns = [
    path("", home.home, name="home"),
    path("accounts/login/", accounts.Login.as_view(), name="login"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path(
        "accounts/password/",
        auth.PasswordChangeView.as_view(
            template_name="accounts/password.html", success_url="/accounts/password/?changed=1"
        ),
        name="password-change",
    ),
    path("accounts/tokens/", tokens.tokens, name="tokens"),
    path("accounts/tokens/<uuid:key>/revoke/", tokens.revoke, name="token-revoke"),
    path("join/<str:token>/", accounts.join, name="join"),
    path("campaigns/", campaigns.campaign_list, name="campaign-list"),
    path("campaigns/new/", campaigns.campaign_new, name="campaign-new"),
    path("c/<slug:slug>/", campaigns.campaign_home, name="campaign"),
    path("c/<slug:slug>/status/", campaigns.campaign_status, name="campaign-status"),
    path("c/<slug:slug>/language/", campaigns.campaign_language, name="campaign-language"),
    path("c/<slug:slug>/settings/", campaigns.campaign_settings, name="settings"),
    path("c/<slug:slug>/scales/new/", scales.scale_new, name="scale-new"),
    path("c/<slug:slug>/scales/<uuid:scale>/", scales.scale_edit, name="scale"),
    path("c/<slug:slug>/scales/<uuid:scale>/threshold/", scales.threshold, name="threshold"),
    path("c/<slug:slug>/scales/<uuid:scale>/remove/", scales.scale_delete, name="scale-remove"),
    path("c/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("c/<slug:slug>/remarks/", remarks.remarks, name="remarks"),
    path("c/<slug:slug>/consent/", consent.consent, name="consent"),
    path("c/<slug:slug>/consent/withdrawal/", consent.withdrawal_rules, name="withdrawal-rules"),
    path("c/<slug:slug>/consent/answers/", background.answers, name="background-answers"),
    path("c/<slug:slug>/questions/new/", consent.question_new, name="question-new"),
    path("c/<slug:slug>/questions/<uuid:question>/", consent.question, name="question"),
    path("c/<slug:slug>/questions/<uuid:question>/act/", consent.question_act, name="question-act"),
    path("c/<slug:slug>/audit/", campaigns.audit_log, name="audit"),
    path("c/<slug:slug>/import/", importing.import_page, name="import"),
    path("c/<slug:slug>/import/<uuid:key>/", importing.import_job, name="import-job"),
    path("c/<slug:slug>/people/", people.people, name="people"),
    path("c/<slug:slug>/people/invite/", people.invite, name="invite"),
    path("c/<slug:slug>/people/exclude/", people.exclude, name="exclude"),
    path("c/<slug:slug>/people/<int:user>/role/", people.role, name="role"),
    path("c/<slug:slug>/invitations/<uuid:key>/revoke/", people.revoke, name="revoke"),
    path("c/<slug:slug>/exclusions/<uuid:key>/lift/", people.lift, name="lift"),
    path("rate/worker.js", offline.worker, name="rate-worker"),
    path("rate/<slug:slug>/", rate.start, name="rate"),
    path("", include("annotation.urls.quality")),
    path("rate/<slug:slug>/own/", own.own, name="rate-own"),
    path("rate/<slug:slug>/withdraw/", withdrawal.withdraw, name="rate-withdraw"),
    path("rate/<slug:slug>/consent/", steps.consent, name="rate-consent"),
    path("rate/<slug:slug>/background/", steps.background, name="rate-background"),
    path("rate/<slug:slug>/<uuid:key>/", rate.sheet_page, name="rate-sheet"),
]
