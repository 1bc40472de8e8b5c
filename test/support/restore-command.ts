import { pino } from 'pino';
import { readConfig } from '../../src/compose/config.ts';
import { runRestore } from '../../src/compose/run-store.ts';
import { asActor } from '../../src/concurrency/request-scope.ts';

/** Types `restore` in an environment at an ISO instant; returns what it printed and its exit code. */
export async function typesRestore(
  environment: Readonly<Record<string, string>>,
  at: string,
  ...args: string[]
): Promise<{ lines: string[]; code: number }> {
  const lines: string[] = [];
  const restored = () =>
    runRestore(['restore', ...args], {
      now: () => Date.parse(at),
      settings: async () => ({
        config: readConfig({ TIME_ZONE: 'UTC', ...environment }),
        log: pino({ level: 'silent' }),
      }),
      out: (line) => void lines.push(line),
      err: () => {},
      progress: () => {},
    });
  const code = await asActor({ account: 'operator', via: 'cli' }, restored);
  return { lines, code };
}
