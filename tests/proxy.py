"""A TCP proxy whose line can be cut, hung or made deaf in one direction."""

import contextlib
import socket
import threading


class Proxy:
    """Forwards 127.0.0.1:`port` to a server.

    Modes: `open` forwards; `cut` closes every connection and takes no new one to the server;
    `hang` keeps connections and moves nothing; `mute` lets requests through and loses the answers
    (the server did it, and the client will never know).
    """

    def __init__(self, target_port, target_host="127.0.0.1"):
        self.target = (target_host, target_port)
        self._changed = threading.Condition()
        self._mode = "open"
        self._pairs = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def set(self, mode):
        """Change the line; `cut` and leaving `hang` or `mute` end the connections of before."""
        with self._changed:
            ends = mode == "cut" or self._mode in {"hang", "mute"}
            self._mode = mode
            old = list(self._pairs) if ends else []
            self._changed.notify_all()
        for end in old:
            _shut(end)

    def close(self):
        self.set("cut")
        _shut(self._listener)

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # The proxy was closed.
            threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client):
        try:
            if self._mode == "cut":
                raise ConnectionRefusedError
            server = socket.create_connection(self.target)
        except OSError:
            _shut(client)
            return
        with self._changed:
            self._pairs |= {client, server}
        answers = threading.Thread(target=self._pump, args=(server, client, True), daemon=True)
        answers.start()
        self._pump(client, server, False)
        answers.join()
        with self._changed:
            self._pairs -= {client, server}

    def _pump(self, source, sink, is_answer):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                with self._changed:
                    self._changed.wait_for(lambda: self._mode != "hang")
                    lost = self._mode == "cut" or (is_answer and self._mode == "mute")
                if not lost:
                    sink.sendall(data)
        _shut(source)
        _shut(sink)


def _shut(end):
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
