import { randomFillSync } from 'node:crypto';
import type { Logger } from 'pino';
import { createChannels } from './api/channels/create-channels.ts';
import type { DelegationApi } from './api/delegations/delegation-api.ts';
import { createDigests } from './api/digests/create-digests.ts';
import type { ReportingApi } from './api/reporting/reporting-api.ts';
import { requestOfSaved } from './api/settings/request-of-saved.ts';
import type { SettingsApi } from './api/settings/settings-api.ts';
import { createWatches } from './api/watches/create-watches.ts';
import type { Backing } from './cache/backing.ts';
import { AppError } from './model/error.ts';
import type { Instant, User } from './model/issue.ts';
import { agingKind } from './questions/aging/aging-kind.ts';
import { createAnswers } from './questions/create-answers.ts';
import type { TenantStore } from './store/store.ts';

/** What answers, and everything that is told by itself, are built from. */
interface AnswersParts {
  readonly store: TenantStore;
  readonly stored: Backing;
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly delegations: DelegationApi;
  /** The name of the tracker the data comes from. */
  readonly tracker: () => Promise<string>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
  readonly log: Logger;
}

/** Puts together what is asked in words, and what is told again and again. */
export function buildAnswers({ store, stored, users, ...parts }: AnswersParts) {
  const { reporting, settings, now } = parts;
  const { tenant } = store;
  // Chance by the hundred takes no longer than for one.
  const chance = new BigUint64Array(128);
  let left = 0;
  // Ten characters of 62 bits: short enough to read out, too many to guess.
  const newId = () => {
    if (left === 0) left = randomFillSync(chance).length;
    left -= 1;
    return (chance[left] ?? 0n).toString(36).padStart(10, '0').slice(-10);
  };
  const answers = createAnswers({
    ...parts,
    userName: async (id) => (await users()).get(id)?.name ?? null,
    knowsUsers: async () => (await users()).size > 0,
    readSaved: async (principal, { setId, timeZone }, asOf) => {
      const { name, report } = await settings.parameterSet(principal, setId);
      const onClocks = { ...reporting, timeZoneOf: async () => timeZone };
      const request = await requestOfSaved(report, principal, {
        reporting: onClocks,
        settings,
        now: () => asOf,
      });
      if (request !== null) return request;
      throw new AppError('missing-value', `The parameter set '${name}' is about one issue and names none.`);
    },
    stored,
    newId,
  });
  return {
    answers,
    channels: createChannels({ stored, settings, tenant, now }),
    digests: createDigests({ ...parts, tenant, store: store.digests, answers, newId }),
    watches: createWatches({
      ...parts,
      tenant,
      store: store.watches,
      ages: (principal, asked) =>
        answers.ask(agingKind, principal, { kind: 'aging', ...asked, backlog: true }, null, {
          start: 0,
          size: Infinity,
        }),
      newId,
    }),
  };
}
