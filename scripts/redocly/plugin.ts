export default function accordPlugin(): { id: string } {
  return { id: "accord" };
}
