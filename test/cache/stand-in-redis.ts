import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** The Redis of a test, on this machine. */
export interface TestRedis {
  readonly port: number;
  /** Ends it, with every connection. */
  stop(): Promise<void>;
}

/** What a stand-in can besides: it answers no more, and its connections stay. */
interface StandInRedis extends TestRedis {
  fallSilent(): void;
  /** How many commands came since it fell silent. */
  heard(): number;
  connections(): Promise<number>;
}

/**
 * Speaks as much of Redis' protocol (RESP2, https://redis.io/docs/latest/develop/reference/protocol-spec/) as a cache
 * needs. Wants a password where there is one; entries expire by the machine's clock, as those of Redis do.
 */
export async function startStandInRedis(port = 0, password: string | null = null): Promise<StandInRedis> {
  const entries = new Map<string, { readonly value: string; readonly until: number }>();
  const sockets = new Set<Socket>();
  let isSilent = false;
  let heard = 0;

  const read = (key: string): string | null => {
    const entry = entries.get(key);
    if (entry !== undefined && entry.until > performance.now()) return entry.value;
    entries.delete(key);
    return null;
  };
  const answer = ([name = '', ...given]: readonly string[], session: Session): string => {
    const [first = '', second = ''] = given;
    if (name === 'AUTH') session.isKnown = given.at(-1) === password;
    if (!session.isKnown) return '-WRONGPASS invalid username-password pair or user is disabled.\r\n';
    if (name === 'AUTH' || name === 'SELECT' || name === 'CLIENT') return '+OK\r\n';
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'INFO') return bulk('redis_version:8.2.1\r\nmaxmemory:0\r\n');
    if (name === 'GET') return bulk(read(first));
    if (name === 'MGET') return list(given.map(read));
    if (name === 'UNLINK') return `:${given.filter((key) => entries.delete(key)).length}\r\n`;
    if (name === 'SET') {
      const [, , unit, ms] = given;
      const until = unit === 'PX' ? performance.now() + Number(ms) : Number.POSITIVE_INFINITY;
      entries.set(first, { value: second, until });
      return '+OK\r\n';
    }
    // The one script of a client: adds points to a key whose first ones begin a window.
    if (name === 'EVAL') {
      const [, , key = '', points, seconds] = given;
      const value = String(Number(read(key) ?? 0) + Number(points));
      const until = entries.get(key)?.until ?? performance.now() + Number(seconds) * 1000;
      entries.set(key, { value, until });
      return `*2\r\n:${value}\r\n:${Math.ceil(until - performance.now())}\r\n`;
    }
    if (name === 'SCAN' && second === 'MATCH') {
      const start = given[2]?.replace(/\*$/, '') ?? '';
      const keys = [...entries.keys()].filter((key) => key.startsWith(start) && read(key) !== null);
      return `*2\r\n${bulk('0')}${list(keys)}`;
    }
    return `-ERR unknown command '${name}'\r\n`;
  };

  const server = createServer((socket) => {
    const session: Session = { isKnown: password === null };
    let unread = '';
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    // One byte is one character, so that lengths are those of the wire.
    socket.setEncoding('latin1').on('data', (part) => {
      unread += part;
      for (let command = takeCommand(unread); command !== null; command = takeCommand(unread)) {
        unread = unread.slice(command.length);
        if (isSilent) heard += 1;
        else socket.write(answer(command.words, session), 'latin1');
      }
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    fallSilent() {
      isSilent = true;
    },
    heard: () => heard,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Session {
  isKnown: boolean;
}

/** The first whole command of what came, and how long it is on the wire. */
function takeCommand(text: string): { readonly words: readonly string[]; readonly length: number } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return null;
  const words: string[] = [];
  let at = head[0].length;
  for (let i = 0; i < Number(head[1]); i += 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at));
    if (size === null) return null;
    at += size[0].length;
    const end = at + Number(size[1]);
    if (text.length < end + 2) return null;
    words.push(text.slice(at, end));
    at = end + 2;
  }
  return { words, length: at };
}

const bulk = (value: string | null): string =>
  value === null ? '$-1\r\n' : `$${value.length}\r\n${value}\r\n`;
const list = (values: readonly (string | null)[]): string =>
  `*${values.length}\r\n${values.map(bulk).join('')}`;
