// Requests that change something, and their errors.

const region = () => document.getElementById("alert");

export function complain(text) {
  region().textContent = text;
  region().hidden = false;
  region().focus();
}

export function calm() {
  region().hidden = true;
}

export async function ask(url, method = "GET", body = undefined, headers = {}) {
  let response;
  try {
    response = await fetch(url, { method, body, headers: { "X-Weps": "1", ...headers } });
  } catch {
    throw new Error("weps does not respond: is it still running in the terminal?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error || `weps answered ${response.status}`);
  return answer;
}
