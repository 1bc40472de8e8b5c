import type { Found } from './slots.ts';
import { statusMeant } from './spot-values.ts';
import type { Token } from './tokens.ts';

/** `the current APP sprint`: the word that says which one is before the project. */
export function takeSprintWord(found: Found[], taken: boolean[], tokens: readonly Token[]): void {
  const at = found.findIndex(({ slot }) => slot.kind === 'intent' && slot.intent === 'sprintReport');
  const sprint = found[at];
  if (sprint === undefined || found.some(({ slot }) => slot.kind === 'sprintWord')) return;
  const project = found.find(({ slot, end }) => slot.kind === 'project' && end === sprint.start);
  const place = (project?.start ?? sprint.start) - 1;
  const word = tokens[place]?.plain ?? '';
  if (
    place < 0 ||
    taken[place] === true ||
    !/^(?:current|running|ongoing|active|this|last|previous)$/.test(word)
  )
    return;
  taken[place] = true;
  const which = /^(?:last|previous)$/.test(word) ? 'last' : 'this';
  found[at] = { ...sprint, slot: { kind: 'sprintWord', which } };
}

/**
 * `blocked or waiting`, `what is waiting in OPS`: the only status that is called so. Beside a status that is named the word
 * says nothing: `waiting in review`.
 */
export function takeWaiting(
  found: Found[],
  taken: boolean[],
  tokens: readonly Token[],
  statuses: readonly string[],
): void {
  const at = tokens.findIndex(
    ({ plain, isQuoted }, place) => plain === 'waiting' && !isQuoted && taken[place] !== true,
  );
  const status = at < 0 ? null : statusMeant('waiting', statuses);
  if (status === null) return;
  const isStatus = ({ slot }: Found) =>
    slot.kind === 'value' && slot.field === 'status' && slot.operator === '=';
  const named = found.filter(isStatus);
  const isJoined = (place: number) => /^(?:or|and)$/.test(tokens[place]?.plain ?? '');
  const isBeside = named.some(
    ({ start, end }) => (isJoined(at - 1) && end === at - 1) || (isJoined(at + 1) && start === at + 2),
  );
  if (named.length > 0 && !isBeside) return;
  taken[at] = true;
  found.push({
    slot: { kind: 'value', field: 'status', value: status, operator: '=' },
    start: at,
    end: at + 1,
  });
}
