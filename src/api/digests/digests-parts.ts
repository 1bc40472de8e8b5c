import type { Logger } from 'pino';
import type { Instant } from '../../model/issue.ts';
import type { DigestStore } from '../../store/job-stores.ts';
import type { AnswersApi } from '../answers.ts';
import type { SettingsApi } from '../settings.ts';

/** What digests are kept and made with. */
export interface DigestsParts {
  readonly store: DigestStore;
  readonly answers: AnswersApi;
  readonly settings: SettingsApi;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
}
