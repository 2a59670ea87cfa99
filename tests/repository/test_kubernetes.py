"""deploy/kubernetes: the manifests against the schemas of Kubernetes, compose and the site."""

import kubernetes_validate
import yaml
from django.urls import resolve

from paraanno import __version__
from tests import HOME

MANIFESTS = list(yaml.safe_load_all((HOME / "deploy/kubernetes/paraanno.yaml").read_text("utf-8")))
COMPOSE = yaml.safe_load((HOME / "docker-compose.yml").read_text("utf-8"))["services"]


def pods():
    for one in MANIFESTS:
        if one["kind"] in ("Deployment", "Job"):
            yield one["metadata"]["name"].removeprefix("paraanno-"), one["spec"]["template"]["spec"]


def test_every_manifest_is_one_of_kubernetes():
    for one in MANIFESTS:
        kubernetes_validate.validate(one, "1.31", strict=True)
    kinds = [one["kind"] for one in MANIFESTS]
    assert kinds.count("Deployment") == 3 and {"Job", "Service", "ConfigMap"} < set(kinds)


def test_workers_take_the_queues_that_compose_gives_them():
    """But for how much they log."""
    commands = {name: " ".join(pod["containers"][0]["command"]) for name, pod in pods()}
    for name in ("worker", "heavy"):
        wanted = COMPOSE[name]["command"].partition(" --loglevel")[0]
        assert commands[name].partition(" --loglevel")[0] == wanted


def test_nobody_is_root_and_all_share_the_data():
    for _name, pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["containers"][0]["securityContext"]["allowPrivilegeEscalation"] is False
        assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == "paraanno-data"


def test_probes_and_the_service_reach_the_site():
    [web] = [pod["containers"][0] for name, pod in pods() if name == "web"]
    ports = {one["name"]: str(one["containerPort"]) for one in web["ports"]}
    named = {one["kind"]: one for one in MANIFESTS if one["kind"] in ("Service", "ConfigMap")}
    assert ports == {"http": named["ConfigMap"]["data"]["PARAANNO_PORT"]}
    assert [one["targetPort"] for one in named["Service"]["spec"]["ports"]] == ["http"]
    assert named["Service"]["spec"]["selector"] == {"app": "paraanno-web"}
    probes = {name: web[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    assert {name: resolve(one["path"]).url_name for name, one in probes.items()} == {
        "startup": "healthz",
        "liveness": "healthz",
        "readiness": "readyz",
    }
    assert {one["port"] for one in probes.values()} == {"http"}


def test_every_deployment_owns_its_pods_and_all_run_this_version():
    for one in MANIFESTS:
        if one["kind"] == "Deployment":
            labels = one["spec"]["template"]["metadata"]["labels"]
            assert one["spec"]["selector"]["matchLabels"] == labels
            assert labels == {"app": one["metadata"]["name"]}
    images = {pod["containers"][0]["image"] for _name, pod in pods()}
    assert images == {f"paraanno:{__version__}"}


def test_the_database_is_prepared_as_compose_does_it():
    commands = {name: " ".join(pod["containers"][0]["command"]) for name, pod in pods()}
    assert COMPOSE["web"]["command"] == f'sh -c "{commands["migrate"]} && exec {commands["web"]}"'


def test_the_files_are_shared_and_settings_are_ours():
    [claim] = [one for one in MANIFESTS if one["kind"] == "PersistentVolumeClaim"]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    [config] = [one for one in MANIFESTS if one["kind"] == "ConfigMap"]
    known = (HOME / "docs/settings.md").read_text("utf-8")
    assert [name for name in config["data"] if f"`{name}`" not in known] == []
