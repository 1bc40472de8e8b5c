import { randomFillSync } from 'node:crypto';
import type { Logger } from 'pino';
import { createAnswers } from './api/create-answers.ts';
import { createChannels } from './api/create-channels.ts';
import type { DelegationApi } from './api/delegation.ts';
import { createDigests } from './api/digests/create-digests.ts';
import type { ReportingApi } from './api/reporting.ts';
import { requestOfSaved } from './api/settings/request-of-saved.ts';
import type { SettingsApi } from './api/settings/settings-api.ts';
import { createWatches } from './api/watches/create-watches.ts';
import type { Backing } from './cache/backing.ts';
import { AppError } from './model/error.ts';
import type { Instant, User } from './model/issue.ts';
import type { Store } from './store/store.ts';

/** What answers, and everything that is told by itself, are built from. */
interface AnswersParts {
  readonly store: Store;
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
    channels: createChannels({ stored, settings, now }),
    digests: createDigests({ ...parts, store: store.digests, answers, newId }),
    watches: createWatches({ ...parts, store: store.watches, answers, newId }),
  };
}
