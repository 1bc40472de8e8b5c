import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { buildDwell } from '../../src/build-dwell.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { readConfig } from '../../src/config.ts';

/** Everything may be left out. `at` fixes the clock; `environment` is what an admin would set. */
export interface DwellOptions {
  readonly at?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly slackApiUrl?: string;
  readonly dataDir?: string;
}

/** A Dwell with its doors open on a loopback port, with its own store, and the sentences a user would say to it. */
export type TestDwell = Awaited<ReturnType<typeof startDwell>>;

export async function startDwell({ at, environment = {}, slackApiUrl, dataDir }: DwellOptions = {}) {
  const data = dataDir ?? temporaryFolder();
  const clock = { now: at === undefined ? Date.parse('2026-03-18T12:00:00Z') : Date.parse(at) };
  const config = readConfig({
    PORT: '0',
    DATA_DIR: data,
    TIME_ZONE: 'UTC',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const dwell = buildDwell(config, {
    now: () => clock.now,
    log: pino({ level: 'silent' }),
    ...(slackApiUrl === undefined ? {} : { slackApiUrl }),
  });
  const running = await dwell.start().catch(async (error) => {
    await dwell.stop();
    throw error;
  });

  /** Runs a command of the command line and returns what it printed and its exit code. */
  async function types(...args: string[]): Promise<{ lines: string[]; code: number }> {
    const lines: string[] = [];
    const out = (line: string) => void lines.push(line);
    const code = await runCommand(args, { ...dwell.commandLine, out, progress: () => {} });
    return { lines, code };
  }

  let token: string | null = null;
  return {
    ...running,
    dataDir: data,
    clock,
    types,

    /** Asks over REST with a token of ada's, unless the headers say otherwise. */
    async get(path: string, parameters: Record<string, string> = {}, headers?: Record<string, string>) {
      token ??= (await types('token', '--user', 'ada')).lines[0] ?? '';
      const query = new URLSearchParams(parameters).toString();
      const answer = await fetch(`${running.url}${path}${query === '' ? '' : `?${query}`}`, {
        headers: headers ?? { Authorization: `TISJWT ${token}` },
      });
      const text = await answer.text();
      const json = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
      return { status: answer.status, type: answer.headers.get('content-type'), text, json };
    },

    async stop(): Promise<void> {
      await dwell.stop();
      if (dataDir === undefined) rmSync(data, { recursive: true });
    },
  };
}

/** A new folder that vanishes with the machine's other temporary files. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'dwell-'));
}

/** The path of a file in `test/fixtures`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}
