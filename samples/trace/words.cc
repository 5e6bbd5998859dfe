// A class template and what uses it: what samples/trace/make has clang compile.
template <class T>
class Tree {
public:
    ~Tree() { drop(root); }
    void add(const T &word) { add(root, word); }
    int total() const { return total(root); }

private:
    struct Node {
        T word;
        int n;
        Node *left, *right;
    };
    Node *root = nullptr;

    static void add(Node *&node, const T &word)
    {
        if (node == nullptr)
            node = new Node{word, 1, nullptr, nullptr};
        else if (word == node->word)
            node->n++;
        else
            add(word < node->word ? node->left : node->right, word);
    }
    static int total(const Node *node)
    {
        return node == nullptr ? 0 : node->n + total(node->left) + total(node->right);
    }
    static void drop(Node *node)
    {
        if (node == nullptr)
            return;
        drop(node->left);
        drop(node->right);
        delete node;
    }
};

int main()
{
    Tree<int> numbers;
    Tree<double> reals;
    for (int i = 0; i < 100; i++) {
        numbers.add(i * 7 % 10);
        reals.add(i * 7 % 10 * 0.5);
    }
    return numbers.total() - reals.total();
}
