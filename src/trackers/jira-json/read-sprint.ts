import type { Sprint } from '../../model/directory.ts';
import { idOf, isNothing, isRecord, odd, textOf } from './json-members.ts';
import { parseInstant } from './parse-instant.ts';

const states: ReadonlyMap<string, Sprint['state']> = new Map([
  ['future', 'future'],
  ['active', 'active'],
  ['closed', 'closed'],
]);

/** A sprint, which Cloud sends as an object and Data Center as a text; null when it is none. */
export function readSprint(raw: unknown): Sprint | null {
  const shape = typeof raw === 'string' ? sprintText(raw) : raw;
  // Every element of every list of every issue is looked at here, and only few have a state.
  if (!isRecord(shape) || typeof shape.state !== 'string' || typeof shape.name !== 'string') return null;
  const id = idOf(shape.id);
  const state = states.get(shape.state.toLowerCase());
  // The member of the board has a different name in each form of a sprint.
  const own = idOf(shape.boardId);
  const origin = idOf(shape.originBoardId);
  const rapid = idOf(shape.rapidViewId);
  if (isNothing(id) || id === odd || state === undefined) return null;
  if (own === odd || origin === odd || rapid === odd) return null;
  return {
    id,
    name: shape.name,
    state,
    start: parseInstant(textOf(shape.startDate)),
    end: parseInstant(textOf(shape.endDate)),
    completed: parseInstant(textOf(shape.completeDate)),
    board: own ?? origin ?? rapid ?? null,
  };
}

const whole = /^com\.atlassian\.greenhopper\.service\.sprint\.Sprint@[0-9a-f]+\[(.*)\]$/s;

/** Names and goals may hold commas, brackets and equals signs: only a comma before one of these parts members. */
const between =
  /,(?=(?:rapidViewId|state|name|goal|startDate|endDate|completeDate|activatedDate|sequence|synced|autoStartStop|incompleteIssuesDestinationId|id)=)/;

/** The members of a sprint that Data Center wrote down as a text; null when the text is none. */
function sprintText(text: string): Readonly<Record<string, string>> | null {
  const [, inside] = whole.exec(text) ?? [];
  if (inside === undefined) return null;
  const members: Record<string, string> = {};
  for (const part of inside.split(between)) {
    const sign = part.indexOf('=');
    const name = part.slice(0, sign);
    const value = part.slice(sign + 1);
    // The goal ends the text: similar words in it are no members.
    if (sign > 0 && value !== '<null>') members[name] ??= value;
  }
  return members;
}
