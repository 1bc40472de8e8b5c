import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { dialectAt, errorReply, pathOf } from '../http/failures.ts';
import { routes } from '../http/resources/index.ts';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { OnUpgrade, UpgradeProgress } from '../store/store.ts';
import type { Config } from './config.ts';
import { logUpgrade, upgradeText } from './log-problem.ts';
import type { WebServer } from './web-server.ts';

/** The seconds after which a client tries again: an upgrade that is noticed takes longer than a busy moment. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Returns what has a server answer while the store is upgraded, from the first report on: `/healthz` with the progress, so
 * that no supervisor ends the process, and everything else with 503, so that no balancer sends it anything.
 */
export function answerDuringUpgrade(
  web: WebServer,
  {
    config: { host, port, timeZone },
    version,
    now,
    log,
  }: {
    readonly config: Pick<Config, 'host' | 'port' | 'timeZone'>;
    readonly version: string;
    readonly now: () => Instant;
    readonly log: Logger;
  },
): OnUpgrade {
  const logStep = logUpgrade(log);
  let progress: UpgradeProgress | null = null;

  function answerTo(path: string): readonly [status: number, body: unknown] {
    if (path === '/healthz') return [200, { status: 'upgrading', ...progress }];
    const text = progress === null ? '' : upgradeText(progress);
    if (path === '/readyz')
      return [503, { status: 'not ready', waitingFor: `an upgrade of the store: ${text}` }];
    const error = new AppError(
      'store-unavailable',
      `Dwell upgrades its store from an earlier version: ${text}. Try again later.`,
    );
    const dialect = dialectAt(path, routes);
    return [503, errorReply(error, '', { version, now, timeZone }, { dialect }).body];
  }

  const answer: RequestListener = ({ method, url = '' }, response) => {
    const [status, body] = answerTo(pathOf(url));
    const bytes = Buffer.from(JSON.stringify(body));
    response
      .writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': bytes.length,
        'Cache-Control': 'no-store',
        ...(status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {}),
      })
      .end(method === 'HEAD' ? undefined : bytes);
  };

  return (upgrade) => {
    if (progress === null) {
      web.answerMeanwhile(answer);
      web.listen(port, host).then(
        (url) =>
          log.info(`${url}/healthz says how far the upgrade is; nothing else is answered until it is done`),
        // A port that cannot be opened is reported by the start, which waits for it as well.
        () => {},
      );
    }
    progress = upgrade;
    logStep(upgrade);
  };
}
