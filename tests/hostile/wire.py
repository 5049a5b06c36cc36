"""How an answer goes out: whole, broken off, late or never."""

from __future__ import annotations

import asyncio
import socket
import struct

from aiohttp import web

from tests.hostile.faults import Answer, Wire

ESTABLISHED = 1  # of Linux's states of a connection
_A_DAY = 86400.0
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


async def send(request: web.Request, answer: Answer, pause: float) -> tuple[web.StreamResponse, bool]:
    """Send an answer; returns what aiohttp wants back, and whether a whole 200 met a client that was there.

    ``pause``: seconds between the bytes of a slow one. Cancelled (by the server) where the client leaves.
    """
    if answer.wire == Wire.NEVER:
        await asyncio.sleep(_A_DAY)
    if answer.wire == Wire.RESET:
        _reset(request)
    if answer.wire != Wire.WHOLE:
        return await _part(request, answer, pause), False
    response = web.Response(body=answer.body, status=answer.status, headers=answer.headers)
    if not client_is_there(request):
        return response, False
    request.transport.set_write_buffer_limits(high=0)  # so that the end is awaited until all went out
    try:
        await response.prepare(request)
        await response.write_eof()
    except ConnectionError:
        return response, False
    return response, answer.status == 200


async def _part(request: web.Request, answer: Answer, pause: float) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    response.content_length = len(answer.body)
    try:
        await response.prepare(request)
        if answer.wire == Wire.HALF:
            await response.write(answer.body[: len(answer.body) // 2])
            await asyncio.sleep(0.01)  # lets the half arrive before the reset
            _reset(request)
        elif answer.wire == Wire.SLOW:
            for byte in answer.body[:-1]:
                await response.write(bytes([byte]))
                await asyncio.sleep(pause)
            await asyncio.sleep(_A_DAY)
    except ConnectionError:
        pass
    return response


def _reset(request: web.Request) -> None:
    if request.transport is not None:
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        request.transport.abort()


def client_is_there(request: web.Request) -> bool:
    """Whether the client is: the loop may not have been told yet that it is gone, but the system knows."""
    if request.transport is None or request.transport.is_closing():
        return False
    connection = request.transport.get_extra_info("socket")
    state = getattr(socket, "TCP_INFO", None)
    return state is None or connection.getsockopt(socket.IPPROTO_TCP, state, 1)[0] == ESTABLISHED
