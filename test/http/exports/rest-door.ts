import { pino } from 'pino';
import type { DelegationApi } from '../../../src/api/delegations/delegation-api.ts';
import type { ExportsApi } from '../../../src/api/exports/exports-api.ts';
import { anIssue } from '../../support/issue-story.ts';
import { startRestService } from '../../support/rest-service.ts';
import { smallWorld } from '../../support/small-world.ts';

const AT = '2026-03-18T12:00:00Z';
const BASE = 'https://dwell.example/time';

/** The REST door over one issue, exports and delegations that are played, and what it has logged. */
export async function restDoor(played: Partial<ExportsApi>, delegations: Partial<DelegationApi> = {}) {
  const logged: string[] = [];
  const left = Promise.withResolvers<void>();
  const { url, token, close } = await startRestService(
    () => ({
      reporting: smallWorld(AT, [anIssue('WEB-1', '2026-03-02T09:00:00Z').issue]),
      exports: { ...nothingExpected, ...played },
      delegations: { ...noDelegations, ...delegations },
      baseUrl: BASE,
    }),
    {
      now: () => Date.parse(AT),
      user: 'ada',
      log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
      onRequest(_request, response, next) {
        response.once('close', () => setImmediate(left.resolve));
        next();
      },
    },
  );
  const headers = { Authorization: `TISJWT ${token}` };
  return {
    ...{ url, baseUrl: BASE, headers, logged, close },
    /** Settles once the first answer has come to its end, in good order or not. */
    left: left.promise,
    ask: (path: string, method = 'GET') => fetch(`${url}${path}`, { method, headers }),
  };
}

const unexpected = async (): Promise<never> => {
  throw new Error('nobody was to ask for this');
};

const nothingExpected: ExportsApi = {
  count: unexpected,
  now: unexpected,
  queue: unexpected,
  get: unexpected,
  list: unexpected,
  abort: unexpected,
  file: unexpected,
  ticket: unexpected,
  fileByTicket: unexpected,
  write: unexpected,
};

const noDelegations: DelegationApi = {
  rightOf: unexpected,
  rightOfEveryone: unexpected,
  delegatesOf: unexpected,
  delegatorsOf: unexpected,
  chainOf: unexpected,
  coverage: unexpected,
  absences: unexpected,
  categories: unexpected,
  delegation: unexpected,
  delegations: unexpected,
  create: unexpected,
  update: unexpected,
  end: unexpected,
  versions: unexpected,
  permitCategories: unexpected,
  createCategory: unexpected,
  updateCategory: unexpected,
  deleteCategory: unexpected,
  delegateTimes: unexpected,
};
