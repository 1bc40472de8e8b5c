import { AppError } from '../../model/error.ts';

/** The first three in the words of the compatible product. */
const sentences = {
  view: 'You do not have permission to view delegations.',
  askOthers: 'You do not have permission to query delegations of other users.',
  viewOne: 'You do not have permission to view this delegation.',
  editOthers: 'You do not have permission to edit delegations of other users.',
  editCategories: 'You do not have permission to edit delegation categories.',
  elsewhere: 'The tracker keeps the categories and versions of delegations; change and read them there.',
} as const;

/** The principal has no right to it, and learns nothing else: not even whether it exists. */
export function notAllowed(why: keyof typeof sentences): AppError {
  return new AppError('not-allowed', sentences[why]);
}
