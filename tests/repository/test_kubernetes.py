"""deploy/kubernetes: the manifests against the schemas of Kubernetes, and against compose."""

import kubernetes_validate
import yaml

from tests import HOME

MANIFESTS = list(
    yaml.safe_load_all((HOME / "deploy/kubernetes/paraanno.yaml").read_text(encoding="utf-8"))
)
COMPOSE = yaml.safe_load((HOME / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


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
