import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that Node can do for a JSON answer: no router, no checks, the same body as `GET /ping`. */
const server = http.createServer((_request, response) => {
  const body = JSON.stringify({ message: 'pong', timestamp: new Date().toISOString() });
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
