import { counted } from '../model/fill-text.ts';
import type { Introduction } from '../model/introduction.ts';

const subjects = {
  account: 'As whom Jira is asked',
  projects: 'Which projects may be browsed',
  issues: 'How many issues there are',
  sight: 'May ask what others may see',
};

/** What a tracker tells of itself and of us, in a line: what works, and what does not. */
export function introductionLine(one: Introduction): string {
  switch (one.about) {
    case 'site':
      return `${one.product} at ${one.url}`;
    case 'account':
      return `As ${accountText(one)}`;
    case 'projects':
      return `May browse ${counted(one.count)} ${one.count === 1 ? 'project' : 'projects'}`;
    case 'issues': {
      const wish = one.wish === null ? '' : ` (JIRA_JQL: ${one.wish})`;
      const none = `${subjects.issues}: Jira does not tell`;
      return one.count === null ? `${none}${wish}` : `About ${issuesText(one.count)}${wish}`;
    }
    case 'sight':
      return `${subjects.sight}: ${one.refusal === null ? 'yes' : `no: ${one.refusal}`}`;
    case 'untold':
      return `${subjects[one.what]} is not told: ${one.why}`;
  }
}

/** Somebody by name and address, as mail programs write it. */
export function accountText({ name, email }: Extract<Introduction, { readonly about: 'account' }>): string {
  return email === null ? name : `${name} <${email}>`;
}

function issuesText(count: number): string {
  return `${counted(count)} ${count === 1 ? 'issue' : 'issues'}`;
}
