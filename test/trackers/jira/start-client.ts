import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach } from '#jest';
import { createJiraClient } from '../../../src/trackers/jira/create-jira-client.ts';
import type { JiraAccess, JiraSurroundings } from '../../../src/trackers/jira/jira-client.ts';
import type { Fault } from '../../support/stand-in-keychain-faults.ts';

/** When the tests of the client begin. */
export const clientNow = Date.parse('2026-03-16T08:00:00Z');

/** A request as the server got it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly authorization: string | null;
  readonly body: string;
}

/** A loopback server that does what is told, in order, and then `usual`. */
interface ScriptedServer {
  readonly origin: string;
  readonly calls: Call[];
  /** Whatever comes next, one by one. */
  next(...faults: Fault[]): void;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Starts a server; it tells no date of its own, so that no real clock gets in. */
export async function startServer(usual: (call: Call) => Fault): Promise<ScriptedServer> {
  const calls: Call[] = [];
  const script: Fault[] = [];
  const server = createServer((request, response) => {
    response.sendDate = false;
    void text(request).then((body) => {
      const call = callOf(request, body);
      calls.push(call);
      const goOn = () => usual(call)(response, () => {});
      const next = script.shift();
      if (next === undefined) goOn();
      else next(response, goOn);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise<unknown>((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, calls, next: (...faults) => void script.push(...faults) };
}

/** A client of it, on a clock that only waiting moves. */
export function startClient(access: JiraAccess, surroundings: Partial<JiraSurroundings> = {}) {
  const waits: number[] = [];
  const kept = new Map<string, string>();
  let now = clientNow;
  const { client, consent } = createJiraClient(access, {
    now: () => now,
    async wait(ms) {
      waits.push(ms);
      now += ms;
    },
    random: () => 0,
    secrets: {
      get: async (name) => kept.get(name) ?? null,
      async change(name, change) {
        const value = change(kept.get(name) ?? null);
        if (value !== null) kept.set(name, value);
        return value;
      },
    },
    deadline: () => new AbortController().signal,
    atlassian: { auth: 'http://127.0.0.1:9', api: 'http://127.0.0.1:9' },
    ...surroundings,
  });
  const pass = (ms: number) => {
    now += ms;
  };
  open.unshift(() => client.close());
  return { client, consent, waits, kept, pass, now: () => now };
}

function callOf({ method = '', url = '', headers }: IncomingMessage, body: string): Call {
  const [path = '', query = ''] = url.split('?');
  return { method, path, query, authorization: headers.authorization ?? null, body };
}
