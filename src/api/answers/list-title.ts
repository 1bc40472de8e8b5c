import type { Week } from '../../model/answer.ts';
import type { Selection } from '../../model/request.ts';

/** `6 issues of WEB finished in week 46 of 2026`; what else than a project chose them stays untold. */
export function finishedTitle(count: number, selection: Selection, { id }: Pick<Week, 'id'>): string {
  const [year, number] = id.split('-W');
  return `${countOf(count, 'issue')}${ofProject(selection)} finished in week ${Number(number)} of ${year}`;
}

/** `12 open issues of WEB by age`; likewise. */
export function openTitle(count: number, selection: Selection): string {
  return `${countOf(count, 'open issue')}${ofProject(selection)} by age`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A query is not for everybody who may read the file. */
function ofProject(selection: Selection): string {
  return selection.by === 'project' ? ` of ${selection.project}` : '';
}
