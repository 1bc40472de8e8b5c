import type { Sprint } from '../../model/directory.ts';
import { jiraSprint } from './jira-schema.ts';
import { parseInstant } from './parse-instant.ts';
import { sprintText } from './sprint-text.ts';

const states: Readonly<Record<string, Sprint['state']>> = {
  future: 'future',
  active: 'active',
  closed: 'closed',
};

/** A sprint as Cloud tells it in an object and Data Center in a text; null when it is none. */
export function readSprint(raw: unknown): Sprint | null {
  const told = typeof raw === 'string' ? sprintText(raw) : raw;
  // Every element of every list of every issue is looked at here, and only few have a state.
  if (told === null || typeof told !== 'object' || !('state' in told)) return null;
  const parsed = jiraSprint.safeParse(told);
  if (!parsed.success) return null;
  const { id, name, state, startDate, endDate, completeDate, boardId, originBoardId, rapidViewId } =
    parsed.data;
  const known = states[state.toLowerCase()];
  if (known === undefined) return null;
  return {
    id,
    name,
    state: known,
    start: parseInstant(startDate),
    end: parseInstant(endDate),
    completed: parseInstant(completeDate),
    board: boardId ?? originBoardId ?? rapidViewId ?? null,
  };
}
