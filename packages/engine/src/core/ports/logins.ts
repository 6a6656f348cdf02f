/** The login of the user. */
export interface Logins {
  /**
   * Returns the login as it is now. A ChatGPT login is recognized, but not used. Rejects with an error whose `code` is
   * "config_invalid" if the login cannot be read.
   */
  read(): Promise<LoginKind>;
  /** Replaces the login by a key. Requests to a model that begin later use it. */
  saveKey(key: string): Promise<void>;
  /** Removes the login. */
  remove(): Promise<void>;
}

export type LoginKind = "none" | "chatgpt" | "apiKey";
