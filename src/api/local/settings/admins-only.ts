import { AppError } from '../../../model/error.ts';
import type { Asker } from '../../../model/request.ts';

/** What only administrators may do, for `adminsOnly`. */
export const CALENDARS = 'create or change calendars';

/** Another such deed. */
export const FORMATS = 'change the date formats';

/** Throws for everybody else; `deed` completes "Only administrators may …". */
export function adminsOnly(asker: Asker, deed: string): void {
  if (!asker.admin) throw new AppError('not-allowed', 'Forbidden', [`Only administrators may ${deed}.`]);
}
