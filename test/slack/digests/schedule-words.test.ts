import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { readDigestWords } from '../../../src/slack/ask/grammar/read-digest.ts';
import { scheduleProblem } from '../../../src/time/cron.ts';
import { readSchedule, scheduleWords, writtenSchedule } from '../../../src/time/read-schedule.ts';
import { runs } from '../../support/soak.ts';

describe('schedule words', () => {
  test.each([
    ['every monday at 9', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['every Monday', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['every day at 17:30', '30 17 * * *', 'every day at 5:30 PM'],
    ['every weekday at 9am', '0 9 * * 1-5', 'every weekday at 9:00 AM'],
    ['every working day at 5 pm', '0 17 * * 1-5', 'every weekday at 5:00 PM'],
    ['every monday and thursday at noon', '0 12 * * 1,4', 'every Monday and Thursday at 12:00 PM'],
    ['every mon, wed and fri at 8.15', '15 8 * * 1,3,5', 'every Monday, Wednesday and Friday at 8:15 AM'],
    ['on fridays at 16:00', '0 16 * * 5', 'every Friday at 4:00 PM'],
    ['every sunday at 12am', '0 0 * * 7', 'every Sunday at 12:00 AM'],
    ['every week at 9', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['on the first of the month at 9', '0 9 1 * *', 'every month on the 1st at 9:00 AM'],
    ['every month on the 22nd at 9', '0 9 22 * *', 'every month on the 22nd at 9:00 AM'],
    ['every last day of the month at 9', '0 9 L * *', 'every last day of the month at 9:00 AM'],
    ['every last friday at noon', '0 12 * * 5L', 'every last Friday of the month at 12:00 PM'],
    ['every first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['every hour', '0 * * * *', 'every hour'],
    ['daily at 9', '0 9 * * *', 'every day at 9:00 AM'],
    ['weekdays at 9', '0 9 * * 1-5', 'every weekday at 9:00 AM'],
    ['every monday 9am', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['every friday 17:30', '30 17 * * 5', 'every Friday at 5:30 PM'],
    ['every day at midnight', '0 0 * * *', 'every day at 12:00 AM'],
    ['every monday to friday at 9', '0 9 * * 1-5', 'every weekday at 9:00 AM'],
    ['every mon-wed at 9', '0 9 * * 1-3', 'every Monday to Wednesday at 9:00 AM'],
    [
      'every friday to monday at 9',
      '0 9 * * 1,5,6,7',
      'every Monday, Friday, Saturday and Sunday at 9:00 AM',
    ],
    ['every 1st monday', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['on the first monday of every month', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['every second monday', '0 9 * * 1#2', 'every second Monday of the month at 9:00 AM'],
    ['every second monday of the month', '0 9 * * 1#2', 'every second Monday of the month at 9:00 AM'],
    ['every month on the 1st', '0 9 1 * *', 'every month on the 1st at 9:00 AM'],
    ['cron 0 9 * * mon-fri', '0 9 * * MON-FRI', 'at 9:00 AM, Monday through Friday'],
  ])('%s is read and written back', (typed, cron, words) => {
    expect(readSchedule(typed)).toBe(cron);
    expect(scheduleProblem({ cron, timeZone: 'UTC' })).toBeNull();
    expect(scheduleWords(cron)).toBe(words);
    expect(readSchedule(writtenSchedule(cron))).toBe(cron);
  });

  test.each([
    ['every 2 weeks at 9', '"every 2 weeks at 9" as a schedule'],
    ['every other monday', 'as a schedule'],
    ['every monday at 25', '"25" as a time. Try: 9, 9:30'],
    ['every monday at 13pm', '"13pm" as a time'],
    ['every blue moon', '"every blue moon" as a schedule. Try: every monday at 9'],
    ['every month on the 32nd', 'as a schedule'],
  ])('%s is refused with what is allowed', (typed, sentence) => {
    expect(() => readSchedule(typed)).toThrow(
      expect.objectContaining({ code: 'bad-request', details: [expect.stringContaining(sentence)] }),
    );
  });

  test.each([
    ['weekly WEB every monday at 9', { question: 'weekly WEB', cron: '0 9 * * 1' }],
    [
      'project WEB last 30 days by assignee every weekday at 9:30 to me in Europe/Berlin with xlsx',
      {
        question: 'project WEB last 30 days by assignee',
        cron: '30 9 * * 1-5',
        place: 'owner',
        timeZone: 'Europe/Berlin',
        file: 'xlsx',
      },
    ],
    [
      'mine every day with a csv file here',
      { question: 'mine', place: 'here', file: 'csv', cron: '0 9 * * *' },
    ],
    [
      'weekly WEB every monday at 9 on working days of Office in Berlin here',
      { workingDays: 'Office in Berlin', timeZone: null, place: 'here' },
    ],
    [
      'weekly WEB every monday at 9 on working days in berlin',
      { workingDays: '', timeZone: 'Europe/Berlin' },
    ],
    ['jql text ~ "every day" cron 0 9 * * 1 here', { question: 'jql text ~ "every day"', cron: '0 9 * * 1' }],
    ['aging WEB daily at 9 to me', { question: 'aging WEB', cron: '0 9 * * *', place: 'owner' }],
    ['aging WEB weekdays at 9', { question: 'aging WEB', cron: '0 9 * * 1-5' }],
    ['aging WEB mondays 9am', { question: 'aging WEB', cron: '0 9 * * 1' }],
    ['aging WEB first monday of the month', { question: 'aging WEB', cron: '0 9 * * 1#1' }],
    ['aging WEB on the first monday of every month', { question: 'aging WEB', cron: '0 9 * * 1#1' }],
    ['aging WEB every month on the last day of the month', { question: 'aging WEB', cron: '0 9 L * *' }],
    ['weekly DAILY every first monday of the month', { question: 'weekly DAILY', cron: '0 9 * * 1#1' }],
    ['aging WEB on the last friday at 9', { question: 'aging WEB', cron: '0 9 * * 5L' }],
  ])('%s is taken apart', (typed, expected) => {
    expect(readDigestWords(typed)).toMatchObject(expected);
  });

  test.each([
    ['weekly WEB', 'When should I post "weekly WEB"?'],
    ['every monday at 9', 'What should I post?'],
    ['weekly WEB every monday at 9 with pdf', 'I can\'t attach a "pdf" file. Try: with xlsx'],
    ['weekly WEB every monday at 9 in Europe/Berln', 'time zone "Europe/Berln"'],
    ['weekly WEB every monday at 9 here to me', 'You gave this twice:'],
  ])('%s is refused with what is missing', (typed, sentence) => {
    expect(() => readDigestWords(typed)).toThrow(
      expect.objectContaining({ details: expect.arrayContaining([expect.stringContaining(sentence)]) }),
    );
  });

  test('whatever is typed is a digest or a refusal that says something', () => {
    const word = fc.constantFrom(
      ...'weekly WEB every cron on the last first monday at 9 in to me here with xlsx working days of * 0 <!channel>'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
        try {
          readDigestWords(words.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          if (error instanceof AppError) expect(error.details.join('').length).toBeGreaterThan(10);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('whatever cron allows has words, and can be written back', () => {
    const field = (from: number, to: number) =>
      fc.oneof(fc.constant('*'), fc.integer({ min: from, max: to }).map(String));
    fc.assert(
      fc.property(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7), (...fields) => {
        const cron = fields.join(' ');
        expect(scheduleWords(cron)).not.toContain('undefined');
        const read = readSchedule(writtenSchedule(cron));
        expect(read.replace(/7$/, '0')).toBe(cron.replace(/7$/, '0'));
      }),
      { numRuns: runs(300) },
    );
  });
});
