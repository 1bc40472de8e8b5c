import type { Logger } from 'pino';
import type { Instant } from '../../../model/issue.ts';
import type { ExportStore } from '../../../store/job-stores.ts';
import type { ReportingApi } from '../../reporting.ts';

/** What exports are made from. Files lie in `folder`, which is made when it is first needed. */
export interface LocalExportsParts {
  readonly reporting: ReportingApi;
  readonly store: ExportStore;
  readonly folder: string;
  /** The secret that tickets are sealed with. */
  readonly key: () => Promise<Uint8Array>;
  /** Whether a token, by its id, is switched on. */
  readonly isActive: (token: string) => Promise<boolean>;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly version: string;
  readonly log: Logger;
}
