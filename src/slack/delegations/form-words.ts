/** What the form calls the members of a delegation that failures name. */
const labels = new Map([
  ['delegator', 'For whom'],
  ['delegates', 'Who stands in'],
  ['categoryIds', 'Categories'],
  ['startDate', 'From'],
  ['endDate', 'To'],
  ['notes', 'Notes'],
]);

/** A sentence of a failure, which begins with the member it is about, for who looks at the form. */
export function formWords(sentence: string): string {
  const [member = ''] = /^\S+/.exec(sentence) ?? [];
  const label = labels.get(member);
  return label === undefined ? sentence : `${label}: ${sentence.slice(member.length).trim()}`;
}
