import { createServer, type IncomingMessage } from 'node:http';

interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A balancer that forwards each request to the next of several processes, in turns. */
export async function startBalancer(processes: readonly string[]) {
  const sent: Forwarded[] = [];
  let turn = 0;
  const forward = async ({ method, path, headers, body }: Forwarded): Promise<Response> => {
    const url = processes[turn % processes.length];
    turn += 1;
    return fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...(body.length > 0 && { body }) });
  };
  const server = createServer(async (request, response) => {
    const one = await read(request);
    sent.push(one);
    const answer = await forward(one).catch((error: unknown) => new Response(String(error), { status: 502 }));
    // The body has been unpacked.
    const { 'content-encoding': _, 'content-length': __, ...headers } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    /** Sends the last request once more, to the process whose turn it is. */
    async repeatsLast(): Promise<number> {
      const last = sent.at(-1);
      if (last === undefined) throw new Error('nothing was sent yet');
      return (await forward(last)).status;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<Forwarded> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks),
  };
}
