import { millisecondsInMinute } from 'date-fns/constants';
import { counted, fillText } from '../model/fill-text.ts';
import type { Instant } from '../model/issue.ts';
import type { SyncStatus, SyncStep } from '../model/sync.ts';

/** Before, a pace says nothing. */
const PACE_AFTER_MS = 5_000;

const doing: Readonly<Record<Exclude<SyncStep, 'fill'>, string>> = {
  rests: 'Waiting for the next turn',
  lists: 'Reading statuses, fields, people and filters',
  follow: 'Looking at what was updated',
  compare: 'Comparing all issues',
};

/** What a synchronisation is doing, in a line; of a fill also how fast it is, from the first line on. */
export function createSyncProgress(now: () => Instant): (status: SyncStatus) => string {
  let begun: { readonly at: Instant; readonly done: number } | null = null;
  return (status) => {
    if (status.step !== 'fill') {
      begun = null;
      return `${doing[status.step]}: ${counted(status.issues)} issues here`;
    }
    // A place that the tracker does not know any more leads back.
    if (begun === null || status.done < begun.done) begun = { at: now(), done: status.done };
    return [`Filling: ${fillText(status)}`, ...paceWords(status, begun, now())].join(', ');
  };
}

function paceWords(
  { done, total }: SyncStatus,
  begun: { readonly at: Instant; readonly done: number },
  at: Instant,
): readonly string[] {
  const [took, came] = [at - begun.at, done - begun.done];
  if (took < PACE_AFTER_MS || came <= 0) return [];
  const perMinute = (came / took) * millisecondsInMinute;
  const pace = `${counted(Math.round(perMinute))} a minute`;
  if (total === null || total <= done) return [pace];
  return [pace, `about ${leftText((total - done) / perMinute)} left`];
}

function leftText(minutes: number): string {
  const whole = Math.ceil(minutes);
  if (whole < 60) return `${whole} min`;
  return `${Math.floor(whole / 60)} h ${whole % 60} min`;
}
