import { AppError } from '../../model/error.ts';

/** Nobody of this name is known. */
export function unknownUser(name: string): AppError {
  return new AppError('not-found', `User with name "${name}" could not be found.`);
}

export function unknownCategory(name: string): AppError {
  return new AppError('not-found', `Category with name "${name}" could not be found.`);
}

export function unknownCategoryId(id: number): AppError {
  return new AppError('not-found', `Category with id "${id}" could not be found.`);
}

export function unknownDelegation(id: number): AppError {
  return new AppError('not-found', `Delegation with id "${id}" could not be found.`);
}
