"""A network in virtual time: links, queues, loss, delay, and the paths made of them."""
