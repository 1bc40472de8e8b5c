import type { CycleTimeSource } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { AppError } from '../../model/error.ts';
import { finishedIssues } from './issue-lives.ts';

/** Cycle times of issues by their keys, the same that weekly counts. */
export function createCycleTimes(reporting: ReportingApi): CycleTimeSource {
  return async ({ principal, calendar }, keys, asOf) => {
    const selection = { by: 'keys', keys } as const;
    const asked = { principal, selection, dateRange: null, asOf, calendar };
    const lives = await finishedIssues(asked, reporting).then(
      (found) => found.lives,
      (error: unknown) => {
        // An issue that was deleted meanwhile takes no other issue's row out of the file.
        if (error instanceof AppError && error.reason === 'unknown-issue') return [];
        throw error;
      },
    );
    return new Map(
      lives.map(({ facts, finish, unclear }) => [
        facts.key,
        finish?.cycle ?? { reason: unclear ?? 'it is not finished' },
      ]),
    );
  };
}
