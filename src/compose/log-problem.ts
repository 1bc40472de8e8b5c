import type { DestinationStream, Logger } from 'pino';
import { requestId } from '../concurrency/request-scope.ts';
import { AppError, failureText } from '../model/error.ts';
import type { OnUpgrade, UpgradeProgress } from '../store/store.ts';
import { createRedact, REDACTED, redactedPaths } from '../telemetry/redact.ts';

/** Options of a log: values that no line may have, and where it goes. */
interface LogOptions {
  readonly secrets?: readonly string[];
  readonly destination?: DestinationStream;
}

/**
 * Opens the log of a process, on standard error by default. A store that does not answer is no bug, and every request meets
 * it meanwhile: its sentence is logged without a stack. Each line has the id of the request that it is about, and no secret.
 */
export async function openLog(
  level: string,
  { secrets = [], destination }: LogOptions = {},
): Promise<Logger> {
  const { pino } = await import('pino');
  const { err } = pino.stdSerializers;
  const serializers = {
    err: (error: Error) =>
      error instanceof AppError && error.reason === 'store-unavailable'
        ? { type: error.name, reason: error.reason, message: failureText(error) }
        : err(error),
  };
  const mixin = () => {
    const id = requestId();
    return id === null ? {} : { request: id };
  };
  const redact = createRedact(secrets);
  const to = destination ?? pino.destination({ dest: 2, sync: true });
  const paths = { paths: [...redactedPaths], censor: REDACTED };
  return pino({ level, serializers, mixin, redact: paths }, { write: (line) => to.write(redact(line)) });
}

/** Logs what went wrong by itself: in sentences where it was foreseen, with its stack where it is a bug. */
export function logProblem(log: Pick<Logger, 'error'>, error: unknown, what: string): void {
  if (error instanceof AppError) log.error({ problem: failureText(error) }, what);
  else log.error({ err: error }, what);
}

/** Returns what logs an upgrade of the store: a line for each step that begins. */
export function logUpgrade(log: Pick<Logger, 'info'>): OnUpgrade {
  let last = '';
  return ({ step }) => {
    if (step !== last) log.info(`upgrading the store from an earlier version: ${step}`);
    last = step;
  };
}

/** The progress of an upgrade in a few words. */
export function upgradeText({ step, done, of }: UpgradeProgress): string {
  const [count, all] = [done, of].map((number) => number.toLocaleString('en-US'));
  return `${step}, ${count} of ${all}`;
}
