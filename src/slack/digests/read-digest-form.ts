import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { readZone } from '../calendars/read-zone.ts';
import type { Submission } from '../modal.ts';
import type { DigestForm } from './digest-form-view.ts';
import { readSchedule } from './read-schedule.ts';

const carried = z.object({
  id: z.string().nullable(),
  question: z.string(),
  at: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
});

/** What was filled in. */
export function readDigestForm({ metadata, texts, chosen }: Submission): DigestForm {
  const { id, at, question } = carried.parse(JSON.parse(metadata));
  const orNothing = (value: string | undefined) => (value === undefined || value === 'none' ? '' : value);
  return {
    id,
    at,
    title: texts.title ?? '',
    question: texts.question ?? question,
    when: texts.when ?? '',
    timeZone: texts.zone ?? '',
    place: chosen.place === 'here' ? 'here' : 'owner',
    channel: chosen.channel ?? '',
    workingDays: orNothing(chosen.days),
    file: orNothing(chosen.file),
  };
}

/** What can be seen to be wrong at once, by `block_id`. */
export function wrongInDigestForm(submission: Submission): Readonly<Record<string, string>> {
  const { when, timeZone } = readDigestForm(submission);
  const wrong = (id: string, read: () => unknown) => {
    try {
      read();
      return {};
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { [id]: error.details.join(' ').replaceAll('`', '') };
    }
  };
  return { ...wrong('when', () => readSchedule(when)), ...wrong('zone', () => readZone(timeZone)) };
}
