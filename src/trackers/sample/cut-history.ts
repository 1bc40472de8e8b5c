import type { Issue } from '../../model/issue.ts';
import { companyName } from './people.ts';

const HOW_MANY = 4;
const KEPT = 2;

/** Replaces a few of the oldest issues of the service desk by what another tracker would have kept of them. */
export function cutOldest(issues: readonly Issue[]): Issue[] {
  const old = new Set(
    issues
      .filter(
        (issue) => issue.project.id === '10300' && issue.status.id === '6' && entriesOf(issue).length > KEPT,
      )
      .slice(0, HOW_MANY),
  );
  return issues.map((issue) => (old.has(issue) ? cut(issue) : issue));
}

function cut(issue: Issue): Issue {
  const entries = new Set(entriesOf(issue).slice(-KEPT));
  const changes = issue.changes.filter(({ entry }) => entries.has(entry));
  return {
    ...issue,
    changes,
    history: {
      complete: false,
      unknownFrom: null,
      unknownUntil: changes[0]?.at ?? null,
      reason: `moved in from ${companyName}'s old help desk, which kept only its last ${changes.length} changes`,
    },
  };
}

function entriesOf(issue: Issue): string[] {
  return [...new Set(issue.changes.map(({ entry }) => entry))];
}
