import { changesOf } from '../../model/changes-of.ts';
import type { FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import { closedKeys } from './closed-keys.ts';
import { issueKeysIn, withoutKeys } from './issue-keys-in.ts';
import type { Scene } from './scene.ts';
import { valuesIn } from './values-in.ts';

/** What stands where a field holds the key of an issue the asker may not see. */
export const HIDDEN = '(hidden)';

/**
 * Issues as an asker may read these fields of them: a parent, an epic or a link that is closed to them, or is in a
 * project closed to them, is hidden, now and in the history. Whoever may see all that is named gets the very same
 * issues. `visible` are issues the asker may see, known beforehand.
 */
export async function hideClosedKeys(
  issues: readonly Issue[],
  fields: readonly string[],
  scene: Pick<Scene, 'asker' | 'directory' | 'issue'>,
  visible: readonly Issue[],
): Promise<readonly Issue[]> {
  if (scene.asker.admin || fields.length === 0) return issues;
  const hidden = await closedKeys(issues, fields, scene, visible);
  if (hidden.size === 0) return issues;
  return issues.map((issue) => hideIn(issue, fields, (key) => hidden.has(key)));
}

type IsHidden = (key: string) => boolean;

function hideIn(issue: Issue, fields: readonly string[], isHidden: IsHidden): Issue {
  const hides = (content: FieldContent | undefined) =>
    valuesIn(content).some((value) => issueKeysIn(value).some(isHidden));
  const now = fields.filter((field) => Object.hasOwn(issue.fields, field) && hides(issue.fields[field]));
  const hasHistory = fields.some((field) =>
    changesOf(issue, field).some(({ from, to }) => hides(from) || hides(to)),
  );
  if (now.length === 0 && !hasHistory) return issue;
  const hidden = now.map((field) => [field, hideContent(issue.fields[field] ?? null, isHidden)]);
  return {
    ...issue,
    fields: { ...issue.fields, ...Object.fromEntries(hidden) },
    changes: issue.changes.map((change) =>
      fields.includes(change.field)
        ? { ...change, from: hideOrNull(change.from, isHidden), to: hideOrNull(change.to, isHidden) }
        : change,
    ),
  };
}

function hideContent(content: FieldContent, isHidden: IsHidden): FieldContent {
  if (content === null || typeof content === 'number') return content;
  if (typeof content === 'string') return withoutKeys(content, isHidden, HIDDEN);
  return 'length' in content
    ? content.map((value) => hideValue(value, isHidden))
    : hideValue(content, isHidden);
}

function hideOrNull(value: FieldValue | null, isHidden: IsHidden): FieldValue | null {
  return value === null ? null : hideValue(value, isHidden);
}

/** The id goes with the name: either tells which issue it is. */
function hideValue(value: FieldValue, isHidden: IsHidden): FieldValue {
  const { name } = value;
  if (!issueKeysIn(value).some(isHidden)) return value;
  const shown = withoutKeys(name, isHidden, HIDDEN);
  return shown === name ? { id: HIDDEN, name: HIDDEN } : { id: shown, name: shown };
}
