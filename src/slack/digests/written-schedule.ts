import { AppError } from '../../model/error.ts';
import { scheduleWords } from '../../time/cron-words.ts';
import { readSchedule } from './read-schedule.ts';

/** A cron expression as `readSchedule` reads it back: in words where it has some, else as it is. */
export function writtenSchedule(cron: string): string {
  const words = scheduleWords(cron);
  try {
    if (readSchedule(words) === cron) return words;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return `cron ${cron}`;
}
