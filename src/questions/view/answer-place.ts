/** Where an answer is read: by its principal alone, by everybody in a channel, or in a digest. */
export type AnswerPlace = 'private' | 'shared' | 'digest';
