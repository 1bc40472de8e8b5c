import type { StaticSelect } from '@slack/types';
import type { SnoozeEnd } from '../../api/watches/watches-api.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';

/** A visit of an issue, and the watch that told of it. */
export interface SnoozedVisit {
  readonly watchId: string;
  readonly key: string;
  readonly since: Instant;
}

/** Until when somebody may want to hear nothing of it; `date` asks for one. */
const ends = {
  day: { text: 'For a day', end: { by: 'day' } },
  workingDays: { text: 'For 3 working days', end: { by: 'workingDays', days: 3 } },
  week: { text: 'For a week', end: { by: 'week' } },
  date: { text: 'Until a date…', end: null },
} as const satisfies Record<string, { readonly text: string; readonly end: SnoozeEnd | null }>;

/** The menu beside an issue that sits too long. */
export function snoozeMenu(visit: SnoozedVisit): StaticSelect {
  return {
    type: 'static_select',
    action_id: 'snooze-visit',
    placeholder: { type: 'plain_text', text: 'Snooze' },
    options: Object.entries(ends).map(([choice, { text }]) => ({
      text: { type: 'plain_text', text },
      value: `${writeVisit(visit)} ${choice}`,
    })),
  };
}

/** What was chosen in it; `end` null: until a date that is to be asked for. */
export function readSnooze(value: string): { readonly visit: SnoozedVisit; readonly end: SnoozeEnd | null } {
  const [watchId = '', key = '', since = '', choice = ''] = value.split(' ');
  const chosen = Object.entries(ends).find(([id]) => id === choice);
  if (chosen === undefined) throw badRequest(`'${choice}' is no end of a snooze. Try: those of the menu.`);
  return { visit: { watchId, key, since: Number(since) }, end: chosen[1].end };
}

/** A visit as a value of a menu; ids and keys hold no blanks. */
export function writeVisit({ watchId, key, since }: SnoozedVisit): string {
  return `${watchId} ${key} ${since}`;
}

/** The same, read again. */
export function readVisit(written: string): SnoozedVisit {
  const [watchId = '', key = '', since = ''] = written.split(' ');
  return { watchId, key, since: Number(since) };
}
