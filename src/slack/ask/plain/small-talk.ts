/** A question that Slack suggests where a conversation begins, and its line; the manifest has the same words. */
interface Prompt {
  readonly prompt: string;
  /** True if the question can be about a project. */
  readonly isAboutProject: boolean;
  readonly line: string;
}

/** The questions Slack suggests where a conversation begins. */
export const prompts: readonly Prompt[] = [
  { prompt: 'How was last week?', isAboutProject: true, line: '/tis weekly' },
  { prompt: 'What is stuck?', isAboutProject: true, line: '/tis aging' },
  { prompt: 'What is waiting for me?', isAboutProject: false, line: '/tis mine' },
];

interface Suggested {
  readonly label: string;
  readonly line: string;
}

/** The suggested questions as buttons ask them, of a project. */
export function suggestedOf(project: string): readonly Suggested[] {
  return prompts.map(({ prompt, isAboutProject, line }) =>
    isAboutProject
      ? { label: prompt.replace('?', ` in ${project}?`), line: `${line} ${project}` }
      : { label: prompt, line },
  );
}

/** Words as they are compared: without politeness, a greeting and the marks at their end. */
export function plainWords(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(/^(?:(?:hi|hey|hello|please)\b[ ,!.]*)+/i, '')
    .replace(/(?<![ ?!.])[ ?!.]+$/, '')
    .replace(/\bplease$/i, '')
    .replace(/(?<![ ,])[ ,]+$/, '');
}

/** True if a text is a question about the questions that can be answered. */
export function asksHelp(text: string): boolean {
  return /^(?:what|which questions) can (?:you do|you answer|i ask)(?: you)?$|^how do(?:es)? (?:i use you|this work|you work)$/i.test(
    plainWords(text),
  );
}

/** `what working hours do you count`, `which calendar`, `what's the time zone`; not `what hours do tickets take`. */
const aboutHours =
  /^(?:in |by )?(?:what|which)(?:'?s| is| are)? (?:the |your |our |my )?(?:(?:working|work|business|office) (?:hours|calendar)|calendar(?! (?:time|days|hours))|time ?zone|hours(?= (?:do|does) (?:you|we|it|dwell) ))\b(?!.*\b(?:spen[dt]|takes?|took)\b)|^(?:do|does) (?:you|it|dwell) count (?:the )?(?:weekends?|nights|holidays)\b/i;

/** True if a text is a question about the hours and days that count, or their time zone. */
export function asksHours(text: string): boolean {
  return aboutHours.test(plainWords(text));
}

/** True if a text only says thanks. */
export function isThanks(text: string): boolean {
  return /^(?:(?:ok|okay|great|perfect|cool|nice)[ ,!.]*)*(?:(?:many )?thanks|thank you|thx|cheers)?(?: (?:a lot|so much|very much|dwell))?$/i.test(
    plainWords(text) || '-',
  );
}
