/** Where an answer is read: by its asker alone, by everybody in a channel, or in a digest. */
export type AnswerPlace = 'private' | 'shared' | 'digest';
