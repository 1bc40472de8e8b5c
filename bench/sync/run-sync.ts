import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { jiraAccount, type StandInJira } from '../../test/support/stand-in-jira.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** How a process that synchronises ended. `peakMb` is the most memory it held at a time. */
export interface SyncEnded {
  readonly code: number | null;
  readonly seconds: number;
  readonly peakMb: number;
  readonly lines: readonly string[];
}

/** Where and of which Jira it keeps issues. */
export interface SyncPlace {
  readonly jira: StandInJira;
  readonly dataDir: string;
  readonly requestsPerMinute: number;
}

/** Starts `dwell sync` in a process of its own. */
export function startSyncProcess(
  { jira, dataDir, requestsPerMinute }: SyncPlace,
  words: readonly string[] = [],
) {
  const child = spawn(process.execPath, [main, 'dwell', 'sync', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_EMAIL: jiraAccount.email,
      JIRA_API_TOKEN: jiraAccount.token,
      JIRA_REQUESTS_PER_MINUTE: String(requestsPerMinute),
    },
  });
  return { child, ended: untilEnded(child) };
}

async function untilEnded(child: ChildProcess): Promise<SyncEnded> {
  const start = performance.now();
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)));
  }
  let peakMb = 0;
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 100);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watching);
  return { code, seconds: (performance.now() - start) / 1000, peakMb, lines };
}

/** The kernel's own high-water mark; 0 where it tells none. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb) / 1024);
  } catch {
    return 0;
  }
}
