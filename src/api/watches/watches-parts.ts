import type { Logger } from 'pino';
import type { Instant } from '../../model/issue.ts';
import type { WatchStore } from '../../store/job-stores.ts';
import type { AnswersApi } from '../answers.ts';
import type { DelegationApi } from '../delegation.ts';
import type { ReportingApi } from '../reporting.ts';
import type { SettingsApi } from '../settings.ts';

/** What watches are kept and looked after with. */
export interface WatchesParts {
  readonly store: WatchStore;
  readonly answers: Pick<AnswersApi, 'answer'>;
  readonly reporting: Pick<ReportingApi, 'report' | 'statuses'>;
  readonly delegations: Pick<DelegationApi, 'chainOf' | 'delegations'>;
  readonly settings: Pick<SettingsApi, 'calendars'>;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
}
