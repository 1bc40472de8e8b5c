import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { answers, preparePostgres } from '../../test/support/postgres-server.js';
import { fixedPort } from './processes.ts';

/** An address that stays the same while what is behind it changes, as a balancer in front of databases has it. */
export interface Proxy {
  readonly port: number;
  leadTo(port: number): void;
  /** Ends all connections, and takes no new ones until it leads somewhere again. */
  cut(): void;
  close(): Promise<void>;
}

export async function startProxy(): Promise<Proxy> {
  let target: number | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    if (target === null) return void from.destroy();
    const to = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    from.pipe(to);
    to.pipe(from);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => {
    target = null;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    leadTo(port) {
      target = port;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server of PostgreSQL that can die and start again. */
export interface Database {
  readonly port: number;
  /** Ends it as a crash does: nothing is written any more. */
  crash(): Promise<void>;
  start(): Promise<void>;
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Makes a standby that follows it by way of a port. */
  makeStandby(viaPort: number): Promise<Database>;
  stop(): Promise<void>;
}

/** Starts a server in a folder, with a database `dwell`. What is committed is on the disk, as in operation. */
export async function startDatabase(folder: string): Promise<Database> {
  const { bin, files, as } = await preparePostgres(folder);
  const log = openSync(join(folder, 'log'), 'a');
  let servers = 0;

  async function run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(program, args, { ...as, cwd: files, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  }

  async function open(more: readonly string[]): Promise<Database> {
    const data = join(files, `data-${servers}`);
    const port = await fixedPort();
    const settings = {
      ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '100' },
      ...{ wal_keep_size: '2GB', logging_collector: 'off' },
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    let server: ChildProcess | null = null;

    async function start(): Promise<void> {
      server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...words, ...more], {
        ...as,
        ...{ cwd: files, stdio: ['ignore', log, log] },
      });
      const started = server;
      while (!(await answers(`postgres://dwell@127.0.0.1:${port}/postgres`))) {
        if (started.exitCode !== null) throw new Error('PostgreSQL did not start.');
        await pause(50);
      }
    }

    async function end(signal: NodeJS.Signals): Promise<void> {
      if (server === null || server.exitCode !== null) return;
      const ended = once(server, 'exit');
      server.kill(signal);
      await ended;
    }

    async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
      const client = new Client({ connectionString: `postgres://dwell@127.0.0.1:${port}/postgres` });
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end().catch(() => {});
      }
    }

    await start();
    return {
      port,
      start,
      crash: () => end('SIGQUIT'),
      stop: () => end('SIGINT'),
      query: (text) => withClient(async (client) => (await client.query(text)).rows),
      makeStandby: (viaPort) =>
        withClient(async (client) => {
          servers += 1;
          const copy = join(files, `data-${servers}`);
          await client.query("SELECT pg_backup_start('standby', true)");
          // A file that goes away meanwhile is in the log of the database, which is replayed.
          await run('cp', ['-a', data, copy]).catch(() => {});
          const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
          for (const left of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
            rmSync(join(copy, left), { recursive: true, force: true });
          await run('mkdir', [join(copy, 'pg_wal')]);
          for (const [name, content] of [
            ['backup_label', rows[0].labelfile],
            ['standby.signal', ''],
          ]) {
            writeFileSync(join(copy, name), content);
            if (as.uid !== undefined) chownSync(join(copy, name), as.uid, as.uid);
          }
          const primary = `host=127.0.0.1 port=${viaPort} user=dwell application_name=standby`;
          return open(['-c', `primary_conninfo=${primary}`]);
        }),
    };
  }

  await run(join(bin, 'initdb'), [
    `--pgdata=${join(files, 'data-0')}`,
    ...['--auth=trust', '--username=dwell', '--encoding=UTF8', '--locale=C', '--no-sync'],
  ]);
  const database = await open([]);
  await database.query('CREATE DATABASE dwell');
  return database;
}
